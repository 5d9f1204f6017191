"""`python -m jurybox` is `jurybox`."""

from jurybox.cli import main

main()
