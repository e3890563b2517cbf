"""Recordings made of numbers: waves of the sea, someone talking, a song.

usage: sound.py (sea | voice | song) FILE.wav SECONDS
"""

import math
import random
import sys
import wave
from array import array

from voice import speak

RATE = 44100


def sea(seconds):
    """Surf: noise that swells every few seconds, darker when it recedes."""
    draw, samples = random.Random(9), []
    low = rumble = 0.0
    for n in range(round(seconds * RATE)):
        swell = 0.5 - 0.5 * math.cos(2 * math.pi * (n / RATE / 3.4 + 0.15))
        noise = draw.random() - 0.5
        low += (0.04 + 0.16 * swell) * (noise - low)
        rumble += 0.01 * (noise - rumble)
        samples.append(0.18 * low * (0.35 + swell) + 0.5 * rumble * (0.5 + 0.5 * swell))
    return [samples]


SINE = [math.sin(2 * math.pi * i / 4096) for i in range(4096)]


def tone(frequency, seconds, partials):
    """A note as a sum of (multiple, level) sines, without an envelope."""
    count = round(seconds * RATE)
    table = [sum(level * SINE[i * multiple % 4096] for multiple, level in partials) for i in range(4096)]
    step = frequency * 4096 / RATE
    return [table[int(n * step) & 4095] for n in range(count)]


def song(seconds):
    """Four chords over two bars each at 120 beats a minute: pad, bass, plucked notes, a soft beat."""
    beat, length = 0.5, round(seconds * RATE)
    left, right = [0.0] * length, [0.0] * length

    def add(start, samples, level, place):
        # What rings on past the end comes back at the beginning, so that the song can be looped.
        offset, a, b = round(start * RATE), level * (1 - place), level * place
        for n, value in enumerate(samples, offset):
            left[n % length] += a * value
            right[n % length] += b * value

    def hertz(key):
        return 440 * 2 ** ((key - 69) / 12)

    def shaped(samples, attack, decay):
        rise, fall = attack * RATE, math.exp(-1 / (decay * RATE))
        level, shaped = 1.0, []
        for n, value in enumerate(samples):
            shaped.append(value * level * min(1.0, n / rise))
            level *= fall
        end = min(len(shaped), 2000)
        for n in range(end):
            shaped[-1 - n] *= n / end
        return shaped

    chords = [(53, 57, 60, 64), (55, 59, 62, 64), (52, 55, 59, 62), (57, 60, 64, 67)]  # Fmaj7 G6 Em7 Am7
    steps = [0, 2, 1, 3, 2, 3, 1, 2]
    for bar, chord in enumerate(chords):
        start = bar * 4 * beat
        for index, key in enumerate(chord):
            add(start, shaped(tone(hertz(key), 2.2, [(1, 1), (2, 0.32), (3, 0.14), (4, 0.05)]), 0.18, 1.9), 0.085,
                0.3 + 0.13 * index)
        for half, level in ((0, 1.0), (1.5, 0.7), (2.5, 0.8)):
            add(start + half * beat, shaped(tone(hertz(chord[0] - 12), 0.6, [(1, 1), (2, 0.4), (3, 0.1)]), 0.01, 0.3),
                0.24 * level, 0.5)
        for eighth, step in enumerate(steps):
            pluck = shaped(tone(hertz(chord[step] + 12), 0.7, [(1, 1), (2, 0.5), (3, 0.2), (5, 0.08)]), 0.004, 0.16)
            add(start + eighth * beat / 2, pluck, 0.15, 0.25 + 0.07 * eighth)
            add(start + eighth * beat / 2 + 0.375, pluck, 0.045, 0.8 - 0.07 * eighth)
    draw = random.Random(13)
    hat = shaped([draw.random() - draw.random() for _ in range(2400)], 0.001, 0.012)
    turns = [48 * n / RATE + 3.2 * (1 - math.exp(-n / 900)) for n in range(9000)]
    kick = shaped([math.sin(2 * math.pi * turn) for turn in turns], 0.002, 0.07)
    for count in range(round(seconds / beat)):
        add(count * beat, kick, 0.34 if count % 2 == 0 else 0.16, 0.5)
        add(count * beat + beat / 2, hat, 0.06, 0.6)
    return [left, right]


def main(kind, path, seconds):
    channels = {"sea": sea, "voice": lambda s: [speak(s, RATE)], "song": song}[kind](seconds)
    loudest = max(max(map(abs, channel)) for channel in channels)
    scale = {"sea": 0.25, "voice": 0.7, "song": 0.75}[kind] * 32767 / loudest
    with wave.open(path, "wb") as file:
        file.setparams((len(channels), 2, RATE, 0, "NONE", ""))
        file.writeframes(array("h", [int(value * scale) for frame in zip(*channels) for value in frame]).tobytes())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
