#!/usr/bin/env python3
"""Measures the editor against ffmpeg doing the same work, side by side in one run, and prints ratios.

usage: compose.py --editor PATH [--runs N] [--folder DIR] [--json]

The work: ten seconds of 1080×1920 at 30 frames/s from a landscape clip fitted to the width and a portrait clip, with a
sticker, a text, the clips' sound at 0.8 and music at 0.5, encoded by x264 veryfast CRF 23 and AAC. The inputs are made
by ffmpeg and kept in the folder. The floor is what no editor can avoid: decoding the sources and encoding the result,
in CPU seconds over the cores. Runs alternate, and the fastest of each counts: the machine can only slow a run down.
"""

import argparse
import json
import os
import sys
import tempfile

from measure import FFMPEG, run

CORES = os.cpu_count() or 1

MEDIA = {
    "land1080.mp4": ["-f", "lavfi", "-i", "mandelbrot=size=640x360:rate=30:start_scale=2.5:end_scale=0.4:end_pts=300,"
                     "scale=1920:1080:flags=bicubic,format=yuv420p,noise=alls=3:allf=t", "-f", "lavfi", "-i",
                     "sine=frequency=440:sample_rate=48000", "-t", "8", "-c:v", "libx264", "-preset", "fast", "-crf",
                     "23", "-c:a", "aac"],
    "port1080.mp4": ["-f", "lavfi", "-i", "testsrc2=size=1080x1920:rate=30,format=yuv420p,gblur=sigma=2,"
                     "noise=alls=2:allf=t", "-f", "lavfi", "-i", "sine=frequency=330:sample_rate=44100", "-t", "8",
                     "-c:v", "libx264", "-preset", "fast", "-crf", "23", "-c:a", "aac"],
    "sticker.png": ["-f", "lavfi", "-i", "color=0xff5000:s=300x300,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':"
                    "a='230*lt(hypot(X-150,Y-150),130)'", "-frames:v", "1"],
    "music.mp3": ["-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*220*t)+0.2*sin(2*PI*277*t)+0.2*sin(2*PI*330*t)':s=44100"
                  ":d=60", "-c:a", "libmp3lame"],
}

CONFIG = {
    "assetArray": [{"path": name, "timeRange": {"start": 0, "duration": 5}} for name in ("land1080.mp4", "port1080.mp4")],
    "originalVolume": 0.8,
    "effects": [
        {"type": "sticker", "image": "sticker.png", "width": "300px", "center": [0.5093, 0.4948]},
        {"type": "text", "text": "Hello World", "fontSize": "90px", "center": [0.4, 0.18]},
        {"type": "music", "source": "music.mp3", "volume": 0.5},
    ],
}

GRAPH = ("[0:v]scale=1080:608,pad=1080:1920:0:656,setsar=1,fps=30[a];[1:v]scale=1080:1920,setsar=1,fps=30[b];"
         "[0:a]aresample=48000[a0];[1:a]aresample=48000[a1];[a][a0][b][a1]concat=n=2:v=1:a=1[v][au];"
         "[v][2:v]overlay=400:800,drawtext=text='Hello World':fontsize=90:fontcolor=white:x=200:y=300[vo];"
         "[au]volume=0.8[x];[3:a]volume=0.5,atrim=0:10[y];[x][y]amix=inputs=2:normalize=0[ao]")


def make_media(folder):
    for name, arguments in MEDIA.items():
        if not os.path.exists(os.path.join(folder, name)):
            run(FFMPEG + arguments + [name], folder)
    with open(os.path.join(folder, "cfg.json"), "w") as file:
        json.dump(CONFIG, file)


def variant(folder, name, change):
    """The same config with something changed."""
    config = json.loads(json.dumps(CONFIG))
    change(config)
    with open(os.path.join(folder, name), "w") as file:
        json.dump(config, file)
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--editor", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    editor = os.path.abspath(options.editor)
    temporary = None if options.folder else tempfile.TemporaryDirectory(prefix="editor-bench-")
    folder = options.folder or temporary.name
    os.makedirs(folder, exist_ok=True)
    make_media(folder)

    def ours(config, *extra):
        return [editor, "--config", config, "run", "--no-cache", "--overwrite", "--quiet", "--output", "ours.mp4", *extra]

    # The same sound with ducking, and loud enough for the limiter to work; alone, then with the picture.
    def loud(config):
        config["originalVolume"] = 2
        config["effects"][-1].update(volume=2, duck=True)
    ducked = variant(folder, "ducked.json", loud)
    beauty = variant(folder, "beauty.json", lambda c: c["effects"].insert(0, {"type": "beauty", "smooth": 0.7, "skinOnly": False}))
    compose = FFMPEG + ["-t", "5", "-i", "land1080.mp4", "-t", "5", "-i", "port1080.mp4", "-i", "sticker.png", "-i",
                        "music.mp3", "-filter_complex", GRAPH, "-map", "[vo]", "-map", "[ao]", "-c:v", "libx264",
                        "-preset", "veryfast", "-crf", "23", "-c:a", "aac", "-movflags", "+faststart", "ffmpeg.mp4"]
    run(compose, folder)
    run(FFMPEG + ["-i", "ffmpeg.mp4", "-pix_fmt", "yuv420p", "composed.y4m"], folder)
    commands = {
        "editor": ours("cfg.json"),
        "ffmpeg": compose,
        "decode": ["ffmpeg", "-nostdin", "-v", "error", "-t", "5", "-i", "land1080.mp4", "-t", "5", "-i", "port1080.mp4",
                   "-map", "0", "-map", "1", "-f", "null", "-"],
        "encode": FFMPEG + ["-i", "composed.y4m", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "encoded.mp4"],
        "editor with beauty": ours(beauty),
        "editor, sound alone": ours(ducked)[:-1] + ["ours.m4a"],
        "editor, list of effects": [editor, "effects", "list"],
    }
    results = {name: [] for name in commands}
    for _ in range(options.runs):
        for name, command in commands.items():
            results[name].append(run(command, folder))
    best = {name: [min(values) for values in zip(*rows)] for name, rows in results.items()}
    floor = (best["decode"][1] + best["encode"][1]) / CORES
    ratios = {
        "wall time to ffmpeg": best["editor"][0] / best["ffmpeg"][0],
        "CPU time to ffmpeg": best["editor"][1] / best["ffmpeg"][1],
        "wall time to the floor": best["editor"][0] / floor,
        "peak memory to ffmpeg": best["editor"][2] / best["ffmpeg"][2],
        "beauty, ms of CPU a frame": (best["editor with beauty"][1] - best["editor"][1]) / 300 * 1000,
        # Decoding, mixing, ducking, limiting, metering and AAC: all that sound costs, less what starting costs.
        "sound, share of the CPU time": (best["editor, sound alone"][1] - best["editor, list of effects"][1])
        / best["editor"][1],
        "start, seconds of `effects list`": best["editor, list of effects"][0],
    }
    if options.json:
        json.dump({"ratios": ratios, "best": best}, sys.stdout, indent=2)
        print()
        return
    for name, (wall, cpu, memory) in best.items():
        print(f"{name:26} {wall:7.2f} s wall {cpu:7.2f} s CPU {memory:6.0f} MB")
    print()
    for name, value in ratios.items():
        print(f"{name:34} {value:.3f}")


if __name__ == "__main__":
    main()
