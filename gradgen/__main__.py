"""`python -m gradgen` is the command `gradgen`."""

from gradgen.commands.start import main

if __name__ == "__main__":
    main()
