"""How a command ends: its exit code, and at most a line where it cannot do its work."""

import os
import sys
from collections.abc import Callable


def run_command(work: Callable[[], int], name: str) -> int:
    """Run a command until all that it prints is written; its exit code.

    1 where standard output cannot be written: quietly where nobody reads on, else with a line that
    begins with the command's name. 130 after Ctrl-C.
    """
    try:
        try:
            return work()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        pass
    except OSError as error:
        print(f"{name}: error: cannot write: {error.strerror or error}", file=sys.stderr)
    # what could not be written is not tried again when Python ends
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
