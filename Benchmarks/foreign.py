#!/usr/bin/env python3
"""Measures what a frei0r effect costs in a render, in a worker process and in the editor itself, against ffmpeg's filter.

usage: foreign.py --editor PATH [--runs N] [--folder DIR] [--effects NAME,NAME...] [--json]

The movie: eight seconds of 1080×1920 at 30 frames/s from one clip without sound, encoded by x264 veryfast CRF 23. The
same movie is made by ffmpeg with -vf frei0r=NAME, and by both without an effect. An effect's cost is what it adds to a
render, in CPU and in wall seconds; the worker's time counts as the editor's, which waits for its end. Rounds alternate
the commands, and the middle of the rounds' values counts.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

from compose import make_media
from measure import FFMPEG, run

# One that does little for each pixel, one that looks at neighbours, and one that remembers earlier frames.
EFFECTS = ["brightness", "IIRblur", "nervous"]
FRAMES = 240
ENCODE = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "ffmpeg.mp4"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--editor", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder")
    parser.add_argument("--effects", default=",".join(EFFECTS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    editor = os.path.abspath(options.editor)
    temporary = None if options.folder else tempfile.TemporaryDirectory(prefix="editor-bench-")
    folder = options.folder or temporary.name
    os.makedirs(folder, exist_ok=True)
    make_media(folder)

    def ours(name, *effects):
        config = {"assetArray": [{"path": "port1080.mp4", "volume": 0}], "effects": list(effects)}
        with open(os.path.join(folder, name), "w") as file:
            json.dump(config, file)
        return [editor, "--config", name, "run", "--no-cache", "--overwrite", "--quiet", "--output", "ours.mp4"]

    commands = {
        "editor": ours("plain.json"),
        "ffmpeg": FFMPEG + ["-i", "port1080.mp4", "-vf", "format=yuv420p", *ENCODE],
    }
    names = options.effects.split(",")
    for name in names:
        effect = {"type": f"frei0r.{name}"}
        commands[f"editor, {name}"] = ours(f"{name}.json", effect)
        commands[f"editor, {name}, in process"] = ours(f"{name}-in.json", {**effect, "isolate": False})
        commands[f"ffmpeg, {name}"] = FFMPEG + ["-i", "port1080.mp4", "-vf", f"frei0r={name},format=yuv420p", *ENCODE]
    rounds = []
    for number in range(options.runs):
        # Which comes first changes, since the machine may be warmer then.
        order = list(commands) if number % 2 == 0 else list(reversed(commands))
        rounds.append({command: run(commands[command], folder) for command in order})

    def middle(value):
        return statistics.median(value(measured) for measured in rounds)

    ratios = {}
    for name in names:
        for label, part in (("CPU", 1), ("wall", 0)):
            def cost(program, suffix=""):
                return lambda m: m[f"{program}, {name}{suffix}"][part] - m[program][part]
            theirs = cost("ffmpeg")
            for suffix in ("", ", in process"):
                mine = cost("editor", suffix)
                ratios[f"{name}{suffix}: cost to ffmpeg's, {label}"] = middle(lambda m: mine(m) / theirs(m))
                ratios[f"{name}{suffix}: render to ffmpeg's, {label}"] = middle(
                    lambda m: m[f"editor, {name}{suffix}"][part] / m[f"ffmpeg, {name}"][part])
            ratios[f"{name}: isolation, ms a frame, {label}"] = middle(
                lambda m: (m[f"editor, {name}"][part] - m[f"editor, {name}, in process"][part]) / FRAMES * 1000)
    if options.json:
        json.dump({"ratios": ratios, "rounds": rounds}, sys.stdout, indent=2)
        print()
        return
    for command in commands:
        wall, cpu, memory = (statistics.median(m[command][part] for m in rounds) for part in range(3))
        print(f"{command:36} {wall:7.2f} s wall {cpu:7.2f} s CPU {memory:6.0f} MB")
    print()
    for name, value in ratios.items():
        print(f"{name:50} {value:.3f}")


if __name__ == "__main__":
    main()
