#!/usr/bin/env python3
"""Measures picture effects against ffmpeg's filters on the same frames in one run, and prints ratios.

usage: filters.py --times PATH [--runs N] [--folder DIR] [--json]

The frames: 1080×1920, the upper half of skin's colour with shading and grain, the lower half of many colours, made by
ffmpeg. PATH is the program filter-times, which times the effects inside one process. A filter's time is the CPU time of
ffmpeg with it less that without it, over a hundred frames, with one thread. lut3d works on R'G'B', so its time holds the
conversions there and back; "lut3d alone" leaves them out. Runs alternate, and the fastest of each counts: the machine can
only slow a run down.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from measure import FFMPEG, run

FRAMES = 100
SOURCE = ("nullsrc=s=540x960:r=30,format=yuv420p,geq=lum='150+35*sin(X/48)*cos(Y/65)':"
          "cb='if(lt(Y,H/2),110+5*sin(Y/60),128+70*sin(X/85))':cr='if(lt(Y,H/2),147+7*sin(X/75),128+70*cos(Y/60))',"
          "scale=1080:1920,noise=alls=6:allf=t")
FILTERS = {
    "bilateral": "bilateral=sigmaS=4:sigmaR=0.1:planes=7",
    "smartblur": "smartblur=lr=3:ls=0.8:lt=-20:cr=3:cs=0.8:ct=-20",
    "lut3d": "format=gbrp,lut3d=table.cube:interp=tetrahedral,format=yuv420p",
    "conversions": "format=gbrp,format=yuv420p",
    "gblur": "gblur=sigma=21.6",
}


def cube(side):
    """A table such as grading programs write."""
    lines = [f"LUT_3D_SIZE {side}"]
    values = [i / (side - 1) for i in range(side)]
    for b in values:
        for g in values:
            for r in values:
                lines.append(f"{r ** 0.9:.6f} {0.92 * g + 0.05 * r:.6f} {0.9 * b ** 1.2 + 0.05:.6f}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = os.path.abspath(options.times)
    temporary = None if options.folder else tempfile.TemporaryDirectory(prefix="editor-filters-")
    folder = options.folder or temporary.name
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "table.cube"), "w") as file:
        file.write(cube(33))
    run(FFMPEG + ["-f", "lavfi", "-i", SOURCE, "-frames:v", "4", "-f", "rawvideo", "frames.yuv"], folder)

    raw = ["-threads", "1", "-filter_threads", "1", "-stream_loop", str(FRAMES // 4 - 1), "-f", "rawvideo", "-pix_fmt",
           "yuv420p", "-s", "1080x1920", "-i", "frames.yuv"]

    def filtered(graph):
        command = ["ffmpeg", "-nostdin", "-v", "error", *raw, "-vf", graph, "-f", "null", "-"]
        return run(command, folder)[1] / FRAMES * 1000

    ours, theirs = {}, {}
    for _ in range(options.runs):
        result = subprocess.run([times, "frames.yuv", "1080", "1920", "table.cube"], cwd=folder, check=True,
                                capture_output=True, text=True)
        for name, values in json.loads(result.stdout).items():
            ours[name] = min(ours.get(name, float("inf")), values["best"])
        for name, graph in {"nothing": "null", **FILTERS}.items():
            theirs[name] = min(theirs.get(name, float("inf")), filtered(graph))
    nothing = theirs.pop("nothing")
    theirs = {name: value - nothing for name, value in theirs.items()}
    theirs["lut3d alone"] = theirs["lut3d"] - theirs.pop("conversions")
    pairs = [("beauty, smooth", "bilateral"), ("beauty, smooth", "smartblur"), ("beauty, everything", "bilateral"),
             ("lut, 3D", "lut3d"), ("lut, 3D", "lut3d alone"), ("blur, everything", "gblur")]
    ratios = {f"{mine} to {other}": ours[mine] / theirs[other] for mine, other in pairs}
    if options.json:
        json.dump({"ratios": ratios, "milliseconds": {"editor": ours, "ffmpeg": theirs}}, sys.stdout, indent=2)
        print()
        return
    for name, value in {**ours, **{f"ffmpeg {name}": value for name, value in theirs.items()}}.items():
        print(f"{name:34} {value:7.2f} ms of CPU a frame")
    print()
    for name, value in ratios.items():
        print(f"{name:44} {value:.3f}")


if __name__ == "__main__":
    main()
