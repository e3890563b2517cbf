"""A voice that says nothing in particular: syllables of vowels with formants, by source and filter.

Formant frequencies are the averages for women of Peterson and Barney (1952), rounded.
"""

import math
import random

VOWELS = {
    "a": (850, 1220, 2810), "e": (610, 2330, 2990), "i": (310, 2790, 3310),
    "o": (590, 920, 2710), "u": (370, 950, 2670),
}

# start in seconds, length, consonant (h hiss, n hum, t burst), vowel at the start and at the end, pitch in hertz
SYLLABLES = [
    (0.35, 0.17, "n", "ii", 205), (0.54, 0.30, "h", "ao", 232),
    (1.02, 0.15, "h", "eo", 214), (1.18, 0.26, "n", "ou", 196),
    (1.62, 0.13, "t", "ei", 220), (1.77, 0.13, "n", "aa", 236), (1.92, 0.16, "t", "iu", 222), (2.10, 0.28, "h", "aa", 190),
    (2.72, 0.14, "t", "uo", 210), (2.88, 0.14, "n", "ee", 226), (3.04, 0.34, "h", "ai", 252),
]


def openness(time):
    """How far the mouth is open at a time, 0…1."""
    wide = {"a": 1.0, "e": 0.55, "i": 0.3, "o": 0.75, "u": 0.4}
    result = 0.0
    for start, length, _, vowels, _ in SYLLABLES:
        along = (time - start + 0.03) / (length + 0.06)
        if 0 < along < 1:
            target = wide[vowels[0]] + (wide[vowels[1]] - wide[vowels[0]]) * along
            result = max(result, target * math.sin(math.pi * along) ** 0.7)
    return result


def speak(seconds, rate):
    samples = [0.0] * round(seconds * rate)
    draw = random.Random(17)
    for start, length, consonant, vowels, pitch in SYLLABLES:
        _syllable(samples, rate, draw, start, length, consonant, vowels, pitch)
    return samples


def _syllable(samples, rate, draw, start, length, consonant, vowels, pitch):
    first, count = round(start * rate), round(length * rate)
    onset = round({"h": 0.06, "n": 0.05, "t": 0.02}[consonant] * rate)
    state = [[0.0, 0.0] for _ in range(3)]
    phase, tilt = 0.0, 0.0
    coefficients = []
    for n in range(count + onset):
        along = n / (count + onset)
        if n % 64 == 0:
            coefficients = []
            for index in range(3):
                a, b = VOWELS[vowels[0]][index], VOWELS[vowels[1]][index]
                frequency, width = a + (b - a) * along, (80, 110, 170)[index]
                radius = math.exp(-math.pi * width / rate)
                coefficients.append((2 * radius * math.cos(2 * math.pi * frequency / rate), -radius * radius, 1 - radius))
        glide = pitch * (1.06 - 0.14 * along + 0.012 * math.sin(2 * math.pi * 5.5 * n / rate))
        phase += glide / rate
        if phase >= 1:
            phase -= 1
        # A glottal pulse (open for 60 % of the period, closing faster than it opened), with a little breath.
        pulse = math.sin(math.pi * (phase / 0.6) ** 1.5) if phase < 0.6 else 0.0
        breath = draw.random() - 0.5
        if n < onset:
            source = {"h": 0.5 * breath, "n": 0.3 * pulse, "t": 0.9 * breath}[consonant]
        else:
            source = pulse + 0.05 * breath
        source, tilt = source - 0.9 * tilt, source  # lip radiation
        value = 0.0
        for index, (one, two, gain) in enumerate(coefficients):
            old = state[index]
            new = source + one * old[0] + two * old[1]
            old[1], old[0] = old[0], new
            value += new * gain * (1.0, 0.7, 0.4)[index]
        level = min(1.0, n / (0.02 * rate), (count + onset - n) / (0.06 * rate))
        if first + n < len(samples):
            samples[first + n] += value * level
