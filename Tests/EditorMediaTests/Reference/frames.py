#!/usr/bin/env python3
"""Plain decoder and compositor of animations, to compare the editor's with. Written from the formats' descriptions.

usage: frames.py FILE OUTPUT [MOST]     writes width, height and count (three little-endian 32-bit numbers), then the
pictures as premultiplied R, G, B, A bytes. GIF (89a) and APNG are decoded here; of animated WebP ffmpeg decodes the
single pictures and they are put together here.
"""

import struct
import subprocess
import sys
import zlib


class Canvas:
    """Straight R, G, B, A rows."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [bytearray(4 * width) for _ in range(height)]

    def copy(self):
        other = Canvas(0, 0)
        other.width, other.height, other.rows = self.width, self.height, [bytearray(row) for row in self.rows]
        return other

    def clear(self, box):
        x, y, w, h = box
        for row in self.rows[y:y + h]:
            row[4 * x:4 * (x + w)] = bytes(4 * w)

    def draw(self, box, pixels, over):
        """Puts a picture of straight pixels there, or (over) lays it over what is there."""
        x, y, w, h = box
        for j in range(h):
            source = pixels[4 * w * j:4 * w * (j + 1)]
            row = self.rows[y + j]
            if not over:
                row[4 * x:4 * (x + w)] = source
                continue
            for i in range(w):
                a = source[4 * i + 3]
                p = 4 * (x + i)
                if a == 255:
                    row[p:p + 4] = source[4 * i:4 * i + 4]
                elif a:
                    below = row[p + 3] * (255 - a)
                    total = a * 255 + below
                    for c in range(3):
                        row[p + c] = (source[4 * i + c] * a * 255 + row[p + c] * below + total // 2) // total
                    row[p + 3] = (total + 127) // 255

    def premultiplied(self):
        result = bytearray()
        for row in self.rows:
            row = bytearray(row)
            for p in range(0, len(row), 4):
                a = row[p + 3]
                if a != 255:
                    for c in range(p, p + 3):
                        row[c] = (row[c] * a + 127) // 255
            result += row
        return bytes(result)


def lzw(data, least):
    """Codes of GIF's LZW to the indices they stand for."""
    clear, end = 1 << least, (1 << least) + 1
    first = [bytes([i]) for i in range(clear)] + [b"", b""]
    out, table, size, last = bytearray(), list(first), least + 1, None
    bits = count = place = 0
    while True:
        while count < size:
            if place == len(data):
                return out
            bits |= data[place] << count
            count += 8
            place += 1
        code = bits & ((1 << size) - 1)
        bits >>= size
        count -= size
        if code == clear:
            table, size, last = list(first), least + 1, None
            continue
        if code == end:
            return out
        if last is None:
            entry = table[code]
        else:
            entry = table[code] if code < len(table) else last + last[:1]
            if len(table) < 4096:
                table.append(last + entry[:1])
        out += entry
        last = entry
        if len(table) == 1 << size and size < 12:
            size += 1


def gif(data, most):
    width, height, flags = struct.unpack("<HHB", data[6:11])
    place = 13
    shared = None
    if flags & 0x80:
        shared = data[place:place + 3 * (2 << (flags & 7))]
        place += len(shared)
    canvas, results = Canvas(width, height), []
    disposal, clear = 0, None

    def blocks(place):
        result = b""
        while data[place]:
            result += data[place + 1:place + 1 + data[place]]
            place += data[place] + 1
        return result, place + 1

    while data[place] != 0x3B and len(results) < most:
        if data[place] == 0x21:
            kind = data[place + 1]
            body, place = blocks(place + 2)
            if kind == 0xF9:
                disposal = body[0] >> 2 & 7
                clear = body[3] if body[0] & 1 else None
            continue
        x, y, w, h, flags = struct.unpack("<HHHHB", data[place + 1:place + 10])
        place += 10
        palette = shared
        if flags & 0x80:
            palette = data[place:place + 3 * (2 << (flags & 7))]
            place += len(palette)
        least = data[place]
        body, place = blocks(place + 1)
        indices = lzw(body, least)
        if flags & 0x40:
            rows = [indices[w * j:w * (j + 1)] for j in range(h)]
            order = [*range(0, h, 8), *range(4, h, 8), *range(2, h, 4), *range(1, h, 2)]
            placed = [None] * h
            for row, j in zip(rows, order):
                placed[j] = row
            indices = b"".join(placed)
        table = [bytes(palette[3 * i:3 * i + 3]) + b"\xff" for i in range(len(palette) // 3)]
        table += [b"\0\0\0\xff"] * (256 - len(table))
        if clear is not None:
            table[clear] = bytes(4)
        before = canvas.copy() if disposal == 3 else None
        canvas.draw((x, y, w, h), b"".join(table[i] for i in indices[:w * h]), over=True)
        results.append(canvas.premultiplied())
        if disposal == 2:
            canvas.clear((x, y, w, h))
        elif disposal == 3:
            canvas = before
        disposal, clear = 0, None
    return width, height, results


def unfilter(data, w, h, channels, depth):
    stride, step = (w * channels * depth + 7) // 8, max(1, channels * depth // 8)
    above, rows, place = bytearray(stride), [], 0
    for _ in range(h):
        kind, row = data[place], bytearray(data[place + 1:place + 1 + stride])
        place += stride + 1
        for i in range(stride):
            left = row[i - step] if i >= step else 0
            up = above[i]
            corner = above[i - step] if i >= step else 0
            if kind == 1:
                row[i] = row[i] + left & 255
            elif kind == 2:
                row[i] = row[i] + up & 255
            elif kind == 3:
                row[i] = row[i] + (left + up) // 2 & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = row[i] + near[2] & 255
        rows.append(row)
        above = row
    return rows


def png_pixels(packed, w, h, head, palette, alphas):
    depth, kind = head
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    result = bytearray()
    for row in unfilter(zlib.decompress(packed), w, h, channels, depth):
        if depth == 16:
            samples = [(row[2 * i] << 8 | row[2 * i + 1]) * 255 for i in range(w * channels)]
            samples = [(value + 32767) // 65535 for value in samples]
        elif depth == 8:
            samples = row
        else:
            samples = [row[i * depth // 8] >> (8 - depth - i * depth % 8) & ((1 << depth) - 1) for i in range(w)]
            if kind == 0:
                samples = [value * 255 // ((1 << depth) - 1) for value in samples]
        for i in range(w):
            s = samples[i * channels:(i + 1) * channels]
            if kind == 3:
                alpha = alphas[s[0]] if alphas and s[0] < len(alphas) else 255
                result += palette[3 * s[0]:3 * s[0] + 3] + bytes([alpha])
            elif kind == 6:
                result += bytes(s)
            elif kind == 2:
                result += bytes(s) + b"\xff"
            elif kind == 4:
                result += bytes([s[0]] * 3 + [s[1]])
            else:
                result += bytes([s[0]] * 3) + b"\xff"
    return bytes(result)


def apng(data, most):
    place, palette, alphas, frames, head = 8, None, None, [], None
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        place += length + 12
        if name == b"IHDR":
            width, height, *head = struct.unpack(">IIBB", body[:10])
        elif name == b"PLTE":
            palette = body
        elif name == b"tRNS":
            alphas = body
        elif name == b"fcTL":
            w, h, x, y = struct.unpack(">IIII", body[4:20])
            frames.append([(x, y, w, h), body[24], body[25], b""])
        elif name == b"IDAT" and frames:
            frames[-1][3] += body
        elif name == b"fdAT":
            frames[-1][3] += body[4:]
    canvas, results = Canvas(width, height), []
    for number, (box, dispose, blend, packed) in enumerate(frames[:most]):
        pixels = png_pixels(packed, box[2], box[3], head, palette, alphas)
        before = canvas.copy() if dispose == 2 and number else None
        canvas.draw(box, pixels, over=blend == 1)
        results.append(canvas.premultiplied())
        if before is not None:
            canvas = before
        elif dispose:
            canvas.clear(box)
    return width, height, results


def webp(data, most):
    def chunks(body):
        place = 0
        while place + 8 <= len(body):
            name, length = struct.unpack("<4sI", body[place:place + 8])
            yield name, body[place + 8:place + 8 + length], body[place:place + 8 + length + length % 2]
            place += 8 + length + length % 2

    def number(body, place):
        return body[place] | body[place + 1] << 8 | body[place + 2] << 16

    frames = []
    for name, body, _ in chunks(data[12:]):
        if name == b"VP8X":
            width, height = number(body, 4) + 1, number(body, 7) + 1
        elif name == b"ANMF":
            frames.append(body)
    canvas, results = Canvas(width, height), []
    for body in frames[:most]:
        box = (2 * number(body, 0), 2 * number(body, 3), number(body, 6) + 1, number(body, 9) + 1)
        flags = body[15]
        inner = [(name, whole) for name, _, whole in chunks(body[16:]) if name in (b"ALPH", b"VP8 ", b"VP8L")]
        still = b"".join(whole for _, whole in inner)
        if inner[0][0] == b"ALPH":
            size = struct.pack("<I", box[2] - 1)[:3] + struct.pack("<I", box[3] - 1)[:3]
            still = b"VP8X" + struct.pack("<I", 10) + bytes([0x10, 0, 0, 0]) + size + still
        file = b"RIFF" + struct.pack("<I", 4 + len(still)) + b"WEBP" + still
        pixels = subprocess.run(["ffmpeg", "-v", "error", "-f", "webp_pipe", "-i", "-", "-pix_fmt", "rgba", "-f", "rawvideo", "-"],
                                input=file, capture_output=True, check=True).stdout
        canvas.draw(box, pixels, over=not flags & 2)
        results.append(canvas.premultiplied())
        if flags & 1:
            canvas.clear(box)
    return width, height, results


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    read = gif if data[:3] == b"GIF" else apng if data[1:4] == b"PNG" else webp
    width, height, pictures = read(data, int(sys.argv[3]) if len(sys.argv) > 3 else 10**9)
    with open(sys.argv[2], "wb") as file:
        file.write(struct.pack("<III", width, height, len(pictures)))
        for picture in pictures:
            file.write(picture)


if __name__ == "__main__":
    main()
