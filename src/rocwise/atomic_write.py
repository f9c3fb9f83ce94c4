"""Atomic writing of files: a temporary file replaces the old one."""

import os
import stat
from contextlib import suppress
from os import PathLike

BINARY = getattr(os, "O_BINARY", 0)  # of Windows


def atomic_write(path: str | PathLike[str], content: bytes | str) -> None:
    """Write a file (text as UTF-8), which has its old content or all of the new one at any time."""
    target = os.path.realpath(path)  # a link keeps pointing to the file
    data = content.encode() if isinstance(content, str) else content
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe has no path of its own
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OSError(problem.errno, reason, os.fspath(path)) from None


def _replace(target: str, data: bytes) -> None:
    temporary = os.path.join(os.path.dirname(target), f".rocwise-{os.urandom(8).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())  # a full disk may show only now
        with suppress(FileNotFoundError):  # permissions stay as they were
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
