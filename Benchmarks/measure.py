"""Runs commands and measures them."""

import os
import subprocess
import time

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]


def run(command, folder, environment=None):
    """Wall seconds, CPU seconds and peak resident memory in MB of a command and the processes that it waited for."""
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
