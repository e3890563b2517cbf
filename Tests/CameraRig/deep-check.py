#!/usr/bin/env python3
"""deep-check.py FOLDER: judges what deep-guest.sh and deep-cut.sh recorded, and prints the numbers."""
import array
import json
import pathlib
import re
import statistics
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
failures = []


def expect(condition, words):
    if not condition:
        failures.append(words)
        print(f"  FAILED: {words}")


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True).stdout


def events(log, name=None):
    found = []
    for line in log.read_text().splitlines():
        if line.startswith("{"):
            event = json.loads(line)
            if name is None or event["event"] == name:
                found.append(event)
    return found


def added(log):
    return [event for event in events(log, "segment") if event["action"] == "added"]


def frames(file):
    words = "-v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0".split()
    return int(run("ffprobe", *words, file).decode().strip(",\n"))


def local(where, segment):
    return folder / where / pathlib.Path(segment["path"]).name


def lumas(file):
    """Time and mean luma of each picture."""
    entries = "-v error -select_streams v -show_entries frame=pts_time -of csv=p=0".split()
    times = [float(line.strip(",")) for line in run("ffprobe", *entries, file).decode().split()]
    values = run("ffmpeg", "-v", "error", "-i", file, "-an", "-vf", "scale=1:1:flags=area,format=gray", "-fps_mode",
                 "passthrough", "-f", "rawvideo", "-")
    return list(zip(times, values))


def bursts(file):
    """Times at which the noise begins."""
    raw = run("ffmpeg", "-v", "error", "-copyts", "-i", file, "-vn", "-af", "atrim=start=0,pan=mono|c0=c0", "-ar", 48000,
              "-f", "s16le", "-")
    samples = array.array("h", raw)
    found, quiet = [], 48000
    for index, sample in enumerate(samples):
        if abs(sample) > 3000:
            if quiet > 14400:
                found.append(index / 48000)
            quiet = 0
        else:
            quiet += 1
    return found


def brightenings(file):
    found, previous = [], None
    pictures = lumas(file)
    middle = (min(v for _, v in pictures) + max(v for _, v in pictures)) / 2
    for time, value in pictures:
        if previous is not None and value > middle >= previous:
            found.append(time)
        previous = value
    return found


print("session: two segments, a flip, the merge")
log = folder / "session/log"
total = 0
for segment in added(log):
    count = frames(local("session", segment))
    print(f"  {segment['frames']} pictures, {segment['lost']} lost, {segment['held']} held")
    expect(count == segment["frames"], f"{count} pictures in the file")
    total += count
expect(len(added(log)) == 2, "two segments")
expect(frames(folder / "session/movie.mp4") == total, "the merge has the pictures of both")
zooms, warnings = events(log, "zoom"), [event["message"] for event in events(log, "warning")]
print(f"  zoom by the driver {zooms[0]['byDriver']}, by cropping {zooms[0]['byCropping']}")
expect(zooms[0]["byDriver"] == 1 and zooms[0]["byCropping"] == 2, "a zoom that the driver lacks is cropped")
expect(any("torch" in words for words in warnings), "a torch that the driver lacks is said")
expect({event["name"] for event in events(log, "camera")} == {"camera /dev/video0 (vivid)", "camera /dev/video1 (vivid)"},
       "both cameras")

truth = {"picture": [], "sound": []}
for line in (folder / "truth").read_text().splitlines():
    words = line.split()
    if words[0] in truth:
        truth[words[0]].append(float(words[1]))
# A control works from the next picture on: on average it is half a picture late.
pictures, sounds = statistics.mean(truth["picture"]) - 500 / 15, statistics.mean(truth["sound"])
print(f"drivers: their stamps are {pictures:+.1f} ms (pictures) and {sounds:+.1f} ms (sound) after the instant, "
      f"by {len(truth['picture'])} claps")

for name, shift in (("even", 0), ("shifted", 1000)):
    log = folder / name / "log"
    segment = added(log)[0]
    file = local(name, segment)
    count, rate = frames(file), 15
    print(f"{name}: {count} pictures in {segment['duration']} s, {segment['lost']} lost, {segment['held']} held")
    expect(count == segment["frames"] == 30 * rate, "all pictures are there")
    pairs = []
    heard = bursts(file)
    for bright in brightenings(file):
        near = [sound for sound in heard if abs(sound - bright) < 0.3]
        if near:
            pairs.append((bright, min(near, key=lambda sound: abs(sound - bright)) - bright))
    expect(len(pairs) >= 12, f"only {len(pairs)} claps were found")
    # Sound after picture, less what lies in the drivers' stamps.
    offsets = [offset * 1000 + 500 / rate - (sounds - pictures) for _, offset in pairs]
    half = len(offsets) // 2
    mean, early, late = (statistics.mean(part) for part in (offsets, offsets[:half], offsets[half:]))
    error = statistics.stdev(offsets) / len(offsets) ** 0.5
    print(f"  {len(pairs)} claps: sound is {mean:+.1f} ms after the picture (± {error:.1f}); "
          f"first half {early:+.1f}, second half {late:+.1f}")
    expect(abs(mean) < 20, "sound and picture are within 20 ms")
    session = json.loads((folder / f"sessions-{name}.json").read_text())[-1]
    drift = session["segments"][0]["correctedDrift"] / segment["duration"] * 1e6
    print(f"  the sound card's clock against the pictures': {drift:+.0f} parts in a million, corrected")
    expect(abs(drift - shift) < 150, f"the drift is {shift}")

print("faults")
log = folder / "faults/log"
dropped, damaged, gone = added(log)[:3]
for words, segment in (("buffers dropped", dropped), ("buffers damaged", damaged), ("disconnected", gone)):
    print(f"  {words}: {segment['frames']} pictures, {segment['lost']} lost, {segment['held']} held")
    expect(frames(local("faults", segment)) == segment["frames"], "the file can be read")
expect(dropped["lost"] > 3 and dropped["held"] >= dropped["lost"] - 1, "dropped buffers are held and counted")
errors = [event["message"] for event in events(log, "error")]
for words in errors:
    print(f"  “{words}”")
expect(any("/dev/video0" in words for words in errors), "the device that went is named")

print("power cut")
told = max(event["duration"] for event in events(folder / "cut.log", "progress"))
segments = sorted((folder / "cut").glob("SD_Record_Video*.mp4"))
counts = [frames(file) for file in segments]
kept = sum(counts[:2]) / 15
print(f"  {told:.2f} s were recorded when it went, {kept:.2f} s are on the disk: {told - kept:.2f} s lost")
expect(len(counts) == 3 and told - kept < 1, "a second at most is lost")
expect(frames(folder / "cut/movie.mp4") == sum(counts), "the session went on and was merged")

print("failed: " + "; ".join(failures) if failures else "all is well")
sys.exit(1 if failures else 0)
