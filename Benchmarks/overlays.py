#!/usr/bin/env python3
"""Measures what 20 stickers and 5 texts add to a whole render on 1080×1920: CPU and wall time over the same movie without.

usage: overlays.py --editor PATH [--runs N] [--folder DIR] [--only stickers|texts] [--json]

The movie is that of compose.py: ten seconds at 30 frames/s from two clips, with their sound and music. Eight of the
stickers rest, six move or turn, four are animations (GIF, APNG, WebP), two are Lottie; they are 15 to 25 % of the canvas
wide, and all are on all the time. The texts: one plain, one with outline and shadow, one in a box, one typed letter by
letter, and captions with the spoken word highlighted. Runs alternate; the middle of the ratios of the pairs counts.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

from compose import CONFIG, make_media
from measure import FFMPEG, run

STICKERS = {
    "disc.png": ["-f", "lavfi", "-i", "color=0x00b0ff:s=400x400,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='X/2':"
                 "a='255*lt(hypot(X-200,Y-200),190)'", "-frames:v", "1"],
    "spin.gif": ["-f", "lavfi", "-i", "color=red:s=240x240:r=15:d=1,format=rgba,geq=r=255:g='128+127*sin(N/2)':b=0:"
                 "a='255*lt(hypot(X-120,Y-120),100)*gt(hypot(X-120,Y-120),60)'", "-filter_complex",
                 "split[a][b];[a]palettegen[p];[b][p]paletteuse"],
    "spin.apng": ["-f", "lavfi", "-i", "color=red:s=240x240:r=15:d=1,format=rgba,geq=r='255*sin(N/5)':g=200:b='X':"
                  "a='255*lt(hypot(X-120,Y-120),110)'", "-plays", "0", "-f", "apng"],
    "spin.webp": ["-f", "lavfi", "-i", "color=red:s=240x240:r=15:d=1,format=rgba,geq=r=20:g='255*sin(N/5)':b='Y':"
                  "a='255*lt(abs(X-120)+abs(Y-120),110)'", "-c:v", "libwebp_anim", "-lossless", "1"],
}


def lottie():
    """A square and a ring that turn: two seconds at 30 pictures a second."""
    def still(value):
        return {"a": 0, "k": value}
    transform = {"ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "r": still(0), "o": still(100)}
    shapes = [{"ty": "gr", "it": [{"ty": "rc", "s": still([200, 200]), "p": still([0, 0]), "r": still(30)},
                                  {"ty": "fl", "c": still([1, 0.7, 0, 1]), "o": still(100)}, transform]},
              {"ty": "gr", "it": [{"ty": "el", "s": still([380, 380]), "p": still([0, 0])},
                                  {"ty": "st", "c": still([0.2, 0, 0.6, 1]), "o": still(100), "w": still(30)}, transform]}]
    turn = {"a": 1, "k": [{"t": 0, "s": [0], "e": [360], "i": {"x": [1], "y": [1]}, "o": {"x": [0], "y": [0]}},
                          {"t": 60, "s": [360]}]}
    layer = {"ty": 4, "ip": 0, "op": 60, "st": 0, "shapes": shapes,
             "ks": {"o": still(100), "r": turn, "p": still([256, 256, 0]), "a": still([0, 0, 0]), "s": still([100, 100, 100])}}
    return {"v": "5.5.2", "fr": 30, "ip": 0, "op": 60, "w": 512, "h": 512, "assets": [], "layers": [layer]}


def stickers():
    result = []
    for index in range(20):
        place = [0.12 + 0.19 * (index % 5), 0.1 + 0.16 * (index // 5)]
        sticker = {"type": "sticker", "width": 0.15 + 0.02 * (index % 6), "center": place}
        if index < 14:
            sticker["image"] = "disc.png" if index % 2 else "sticker.png"
        elif index < 18:
            sticker["image"] = ["spin.gif", "spin.apng", "spin.webp", "spin.gif"][index - 14]
        else:
            sticker["image"] = "turn.json"
        if index in (8, 9):
            sticker["center"] = [{"time": 0, "value": place}, {"time": 10, "value": [1 - place[0], 0.9 - place[1]]}]
        if index in (10, 11):
            sticker["rotation"] = [{"time": 0, "value": 0}, {"time": 10, "value": 360}]
        if index == 12:
            sticker["animation"] = {"in": "pop", "loop": "pulse"}
        if index == 13:
            sticker["animation"] = {"in": "slideLeft", "loop": "swing"}
        result.append(sticker)
    return result


def texts():
    return [
        {"type": "text", "text": "Hello World", "fontSize": 0.08, "center": [0.5, 0.2]},
        {"type": "text", "text": "Outline and shadow\non two lines", "fontSize": 0.07, "center": [0.5, 0.35],
         "outline": {"color": "000000"}, "shadow": {}},
        {"type": "text", "text": "In a box", "fontSize": 0.07, "center": [0.5, 0.5], "colorStyle": "background",
         "color": "fb1e4d", "cornerRadius": 0.04},
        {"type": "text", "text": "Typed letter by letter, one at a time", "fontSize": 0.06, "center": [0.5, 0.65],
         "animation": {"in": "typewriter"}},
        {"type": "text", "captions": "words.json", "fontSize": 0.07, "center": [0.5, 0.85], "outline": {"color": "000000"},
         "animation": {"loop": "wordHighlight"}},
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--editor", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder")
    parser.add_argument("--only", choices=["stickers", "texts"])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    editor = os.path.abspath(options.editor)
    temporary = None if options.folder else tempfile.TemporaryDirectory(prefix="editor-bench-")
    folder = options.folder or temporary.name
    os.makedirs(folder, exist_ok=True)
    make_media(folder)
    for name, arguments in STICKERS.items():
        if not os.path.exists(os.path.join(folder, name)):
            run(FFMPEG + arguments + [name], folder)

    def write(name, value):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(value, file)

    write("turn.json", lottie())
    write("words.json", [{"text": word, "start": index * 0.4, "end": index * 0.4 + 0.35}
                         for index, word in enumerate(("so this is what we say while the film runs " * 3).split())])
    bare = json.loads(json.dumps(CONFIG))
    bare["effects"] = [effect for effect in bare["effects"] if effect["type"] == "music"]
    full = json.loads(json.dumps(bare))
    full["effects"] += ([] if options.only == "texts" else stickers()) + ([] if options.only == "stickers" else texts())
    write("bare.json", bare)
    write("full.json", full)

    def measure(config):
        return run([editor, "--config", config, "run", "--no-cache", "--overwrite", "--quiet", "--output", "ours.mp4"], folder)

    pairs = []
    for number in range(options.runs):
        # Which of the two comes first changes, since the machine may be warmer then.
        order = ["bare.json", "full.json"] if number % 2 == 0 else ["full.json", "bare.json"]
        measured = {config: measure(config) for config in order}
        pairs.append((measured["bare.json"], measured["full.json"]))
    ratios = {
        "CPU time with 20 stickers and 5 texts to none": statistics.median(full[1] / bare[1] for bare, full in pairs),
        "wall time with them to none": statistics.median(full[0] / bare[0] for bare, full in pairs),
        "peak memory with them to none": statistics.median(full[2] / bare[2] for bare, full in pairs),
    }
    if options.json:
        json.dump({"ratios": ratios, "pairs": pairs}, sys.stdout, indent=2)
        print()
        return
    for bare, full in pairs:
        print(f"none {bare[0]:6.2f} s wall {bare[1]:6.2f} s CPU {bare[2]:5.0f} MB   with them {full[0]:6.2f} s wall {full[1]:6.2f} s CPU {full[2]:5.0f} MB")
    print()
    for name, value in ratios.items():
        print(f"{name:50} {value:.3f}")


if __name__ == "__main__":
    main()
