"""Commands that have tasks: a module for each, with `USAGE`, `HELP` and `TASKS` by name."""
