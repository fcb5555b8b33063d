"""The program: ``python -m vaultwright`` is ``vaultwright``."""

import os
import signal
import sys


def main() -> None:
    # The program handles Ctrl-C itself; Python would wait until it runs again.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ._vaultwright import run_program

    code = run_program(["vaultwright", *sys.argv[1:]])
    # There is nothing left for Python to clean up.
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
