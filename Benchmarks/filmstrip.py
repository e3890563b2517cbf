#!/usr/bin/env python3
"""Measures filmstrips of a long clip against the quickest way that ffmpeg has for the same pictures.

usage: filmstrip.py --editor PATH [--runs N] [--folder DIR] [--passes] [--json]

The clip: ten minutes of 1080p H.264 at 30 frames/s, made once by ffmpeg and kept in the folder; its key frames are 3 to
8 seconds apart, as x264 sets them. The work: twenty pictures of 180×102, all over the clip, into one strip; both programs
are asked for the same times. ffmpeg's ways to the exact pictures: one process with an
input at each time, one process for each picture, the same two side by side, and one pass that selects. To key frames:
inputs with inaccurate seeks, and one pass over key frames alone. --passes measures the passes too, which read the whole
clip and take far longer. Runs alternate, and the fastest of each counts. Start is
the time of `editor --version`.
"""

import argparse
import json
import os
import sys
import tempfile

from measure import FFMPEG, run

COUNT, WIDTH, HEIGHT, LENGTH = 20, 180, 102, 600
# Not in step with the clip's repetitions, so that they lie anywhere between key frames. Each lies in the middle between
# two frames: the editor shows the one before, and ffmpeg, which takes the first one after, is given half a frame less.
FRAMES = [round(((2 * n + 1) * LENGTH / (2 * COUNT) + 0.37 * n) * 30) for n in range(COUNT)]
TIMES = [f"{(frame - 0.5) / 30:.4f}" for frame in FRAMES]
OUR_TIMES = [f"{(frame + 0.5) / 30:.4f}" for frame in FRAMES]
SCALE = f"scale={WIDTH}:{HEIGHT}"


def make_clip(folder):
    if os.path.exists(os.path.join(folder, "long.mp4")):
        return
    run(FFMPEG + ["-f", "lavfi", "-i", "mandelbrot=size=480x270:rate=30:start_scale=2.5:end_scale=0.1:end_pts=900", "-t",
                  "24", "-vf", "scale=1920:1080:flags=bicubic,format=yuv420p,noise=alls=3:allf=t", "-c:v", "libx264",
                  "-preset", "fast", "-crf", "23", "part.mp4"], folder)
    with open(os.path.join(folder, "list"), "w") as file:
        file.write("file part.mp4\n" * (LENGTH // 24))
    run(FFMPEG + ["-f", "concat", "-i", "list", "-c", "copy", "-movflags", "+faststart", "long.mp4"], folder)


def inputs(*options):
    """One process, an input at each time, stacked."""
    command = list(FFMPEG)
    for moment in TIMES:
        command += [*options, "-ss", moment, "-i", "long.mp4"]
    chains = "".join(f"[{n}:v]trim=end_frame=1,{SCALE}[p{n}];" for n in range(COUNT))
    stack = "".join(f"[p{n}]" for n in range(COUNT)) + f"hstack={COUNT}"
    return command + ["-filter_complex", chains + stack, "-frames:v", "1", "ffmpeg.png"]


def processes(side_by_side, *options):
    """A process for each picture."""
    words = " ".join(options)
    one = f"ffmpeg -nostdin -v error -y {words} -ss {{}} -i long.mp4 -frames:v 1 -vf {SCALE} one-{{}}.png"
    return ["sh", "-c", f"printf '%s\\n' {' '.join(TIMES)} | xargs -P {side_by_side} -I {{}} {one}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--editor", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    editor = os.path.abspath(options.editor)
    temporary = None if options.folder else tempfile.TemporaryDirectory(prefix="editor-bench-")
    folder = options.folder or temporary.name
    os.makedirs(folder, exist_ok=True)
    make_clip(folder)
    cache = tempfile.mkdtemp(prefix="cache-", dir=folder)
    environment = dict(os.environ, XDG_CACHE_HOME=cache)

    def ours(*extra):
        times = [word for moment in OUR_TIMES for word in ("--at", moment)]
        return [editor, "thumbnails", "--source", "long.mp4", *times, "--width", str(WIDTH), "--output", "ours.png",
                "--overwrite", *extra]

    select = "+".join(f"eq(n\\,{frame})" for frame in FRAMES)
    exact = {
        "ffmpeg, an input each": inputs(),
        "ffmpeg, a process each": processes(1),
        "ffmpeg, two processes at a time": processes(2),
        "ffmpeg, two at a time, one thread": processes(2, "-threads", "1"),
    }
    if options.passes:
        exact["ffmpeg, one pass"] = FFMPEG + ["-i", "long.mp4", "-vf", f"select={select},{SCALE},tile={COUNT}x1",
                                              "-frames:v", "1", "ffmpeg.png"]
    keys = {
        "ffmpeg, keys, an input each": inputs("-noaccurate_seek", "-skip_frame", "nokey"),
        "ffmpeg, keys, a process each": processes(1, "-noaccurate_seek", "-skip_frame", "nokey"),
        "ffmpeg, keys, two at a time": processes(2, "-noaccurate_seek", "-skip_frame", "nokey", "-threads", "1"),
    }
    if options.passes:
        keys["ffmpeg, keys, one pass"] = FFMPEG + ["-skip_frame", "nokey", "-i", "long.mp4", "-vf", SCALE, "-fps_mode",
                                                   "vfr", "key-%03d.png"]
    commands = {
        **exact, **keys, "editor": ours("--no-cache"), "editor, fast": ours("--no-cache", "--fast"),
        "editor, from the cache": ours(), "editor, start": [editor, "--version"],
    }
    run(ours(), folder, environment)
    results = {name: [] for name in commands}
    for _ in range(options.runs):
        for name, command in commands.items():
            results[name].append(run(command, folder, environment)[:2])
    best = {name: [min(values) for values in zip(*rows)] for name, rows in results.items()}
    quickest = {kind: min(ways, key=lambda name: best[name][0]) for kind, ways in (("exact", exact), ("keys", keys))}
    # One command against one command; and against what a script that runs several side by side can do.
    alone = min((name for name in exact if "two" not in name), key=lambda name: best[name][0])
    ratios = {
        f"exact, to {alone}": best["editor"][0] / best[alone][0],
        f"exact, to {quickest['exact']}": best["editor"][0] / best[quickest["exact"]][0],
        f"fast, to {quickest['keys']}": best["editor, fast"][0] / best[quickest["keys"]][0],
        "from the cache, seconds without the start": best["editor, from the cache"][0] - best["editor, start"][0],
    }
    if options.json:
        json.dump({"ratios": ratios, "best": best}, sys.stdout, indent=2)
        print()
        return
    for name, (wall, cpu) in best.items():
        print(f"{name:36} {wall:7.2f} s wall {cpu:7.2f} s CPU")
    print()
    for name, value in ratios.items():
        print(f"{name:60} {value:.3f}")


if __name__ == "__main__":
    main()
