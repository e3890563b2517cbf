#!/usr/bin/env python3
"""Measures how fast the editor renders a config and how much memory it takes.

usage: bench.py --editor PATH --config FILE [--runs N] [--json]

Each setting runs N times without the cache and the fastest run counts, since everything else on the machine can only
slow a run down. The last line is ffmpeg decoding and encoding the finished movie, nothing else: a mark to compare with.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def run(command):
    """Runs a command; gives its stdout, its wall seconds, its CPU seconds and its peak resident memory in MB."""
    read, write = os.pipe()
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read), (os.POSIX_SPAWN_CLOSE, write)])
    os.close(write)
    with open(read) as output:
        text = output.read()
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise SystemExit(f"bench: failed: {' '.join(command)}")
    return text, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def fastest(command, runs):
    return min((run(command) for _ in range(runs)), key=lambda result: result[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--editor", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    cores = os.cpu_count() or 1
    rows = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        movie = os.path.join(folder, "movie.mp4")
        base = [options.editor, "--config", options.config, "run", "--no-cache", "--overwrite", "--quiet", "--json",
                "--output", movie]
        settings = [("one job", ["--jobs", "1"])]
        if cores > 1:
            settings.append((f"{cores} jobs", ["--jobs", str(cores)]))
        settings.append(("draft", ["--draft"]))
        for name, extra in settings:
            text, wall, cpu, memory = fastest(base + extra, options.runs)
            frames = json.loads(text)["frames"]
            rows.append({"run": name, "frames": frames, "seconds": wall, "cpuSeconds": cpu, "memoryMB": memory})
            if name != "draft":
                os.replace(movie, os.path.join(folder, "full.mp4"))
        floor = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", os.path.join(folder, "full.mp4"), "-c:v", "libx264",
                 "-preset", "veryfast", "-crf", "23", "-c:a", "aac", os.path.join(folder, "floor.mp4")]
        _, wall, cpu, memory = fastest(floor, options.runs)
        frames = rows[0]["frames"]
        rows.append({"run": "ffmpeg, recoding", "frames": frames, "seconds": wall, "cpuSeconds": cpu, "memoryMB": memory})

    if options.json:
        json.dump(rows, sys.stdout, indent=2)
        print()
        return
    print(f"{'':20}  {'frames/s':>8}  {'seconds':>7}  {'CPU s':>6}  {'MB':>5}")
    for row in rows:
        print(f"{row['run']:20}  {row['frames'] / row['seconds']:8.1f}  {row['seconds']:7.2f}  {row['cpuSeconds']:6.2f}"
              f"  {row['memoryMB']:5.0f}")


main()
