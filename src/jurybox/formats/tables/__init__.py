"""Tables: cases, judgments, decisions, keys, rankings, counts; files and tables in memory."""
