"""The program: ``python -m vaultwright`` is ``vaultwright``."""

import os
import signal
import sys


def main() -> None:
    # The program ends at Ctrl-C by itself; Python would wait until it is asked something again.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ._vaultwright import run_program

    code = run_program(["vaultwright", *sys.argv[1:]])
    # Nothing of Python's is left to be put away.
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
