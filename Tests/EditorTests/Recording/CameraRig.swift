import EditorCore
import Foundation
import Testing

/// Two cameras and a microphone that are none, for one script at a time; see `Tests/CameraRig`.
///
/// In the script `$EDITOR` is the program, `$VCAM_CTL` and `$VMIC_RAW` work cameras and microphone, and the functions
/// below are there.
struct CameraRig {
    let workshop: Workshop

    private static let script = Workshop.checkout + "/Tests/CameraRig/fast-rig.sh"

    /// No display but one that a test brings along.
    private static var environment: [String: String] {
        [
            "CAMERA_BUILD": Workshop.checkout + "/.build/camera-rig", "EDITOR": Workshop.editor, "DISPLAY": "",
            "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "",
        ]
    }

    /// Whether it runs here: it needs root, FUSE, and the packages that build it.
    static let isAvailable: Bool = {
        guard getuid() == 0, FileManager.default.fileExists(atPath: "/dev/fuse"), let workshop = try? Workshop() else {
            return false
        }
        let result = try? workshop.run("bash", [script, "true"], environment: environment)
        return result?.status == 0
    }()

    static let reason: Comment = "the virtual camera needs root, /dev/fuse, gcc, libfuse3-dev and libasound2-dev"

    private static let functions = """
        record() { "$EDITOR" --config cfg.json record --progress json "$@"; }
        # ctl CAMERA WORDS: makes a fault
        ctl() { echo "${@:2}" >"$VCAM_CTL/ctl$1"; }
        # until_event WORD [COUNT]: waits until the log has that many of it
        until_event() { for i in $(seq 1500); do [ "$(grep -c "$1" log)" -ge "${2:-1}" ] && return 0; sleep 0.02; done; echo "no $1" >&2; return 1; }
        # brightness CAMERA VALUE: 0…255, 128 at first; as another program would set it
        brightness() { python3 -c 'import fcntl,struct,sys; fcntl.ioctl(open("/dev/video"+sys.argv[1],"r+b",0), 0xC008561C, struct.pack("Ii", 0x980900, int(sys.argv[2])))' "$@"; }

        """

    struct Result {
        var status: Int32
        var out: String
        var log: String
        var events: [JSONValue]

        func events(_ name: String) -> [JSONValue] { events.filter { $0.string("event") == name } }
        var segments: [JSONValue] { events("segment").filter { $0.string("action") == "added" } }
        var errors: [String] { events("error").compactMap { $0.string("message") } }
    }

    /// Runs a script in the workshop's folder. What `record` says is in the file `log`.
    /// - Parameter hasH264: whether the cameras code H.264, too; what they coded is in `camera0.h264`, `camera1.h264`.
    func run(
        _ script: String, microphone: String? = nil, hasH264: Bool = false, environment further: [String: String] = [:]
    ) throws -> Result {
        var environment = Self.environment.merging(further) { $1 }
        if hasH264 {
            environment["VCAM_H264"] = "1"
            environment["VCAM_DUMP"] = workshop.path("")
        }
        if let microphone { environment["MIC_RAW"] = workshop.path(microphone) }
        let output = try workshop.run(
            "bash", [Self.script, "bash", "-c", Self.functions + script], environment: environment)
        let log = (try? String(contentsOfFile: workshop.path("log"), encoding: .utf8)) ?? ""
        let events = log.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        return Result(status: output.status, out: output.out, log: log + output.err, events: events)
    }

    /// The state of a camera as the rig told it into a file: its lines by their first words.
    func state(_ name: String) throws -> [String: Double] {
        var state: [String: Double] = [:]
        for line in try String(contentsOfFile: workshop.path(name), encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if words[0] == "ctrl", words.count == 4 {
                state[words[3]] = Double(words[2])
            } else if words.count > 1 {
                state[words[0]] = Double(words[1])
            }
        }
        return state
    }
}

extension CameraRig {
    /// In a workshop of its own, with a config.
    init(config: JSONValue = ["maxVideoDuration": 20]) throws {
        self.init(workshop: try Workshop())
        try write(config: config)
    }

    /// Writes a config; 320×240 pixels unless it says otherwise.
    func write(config: JSONValue = [:]) throws {
        guard case .object(var members) = config else { return }
        members["renderSize"] = members["renderSize"] ?? ["width": 320, "height": 240]
        try workshop.write(config: .object(members))
    }
}

/// What the pictures and the sound of the rig tell.
extension Workshop {
    /// The camera's number of each picture, read from the 32 cells along its bottom.
    /// - Parameter isMirrored: whether left and right were changed, as those of the front camera are.
    func sequences(_ name: String, isMirrored: Bool = false, filter: String = "") throws -> [UInt32] {
        let target = "tmp/cells-\(UUID().uuidString)"
        try ffmpeg([
            "-i", name, "-an", "-vf",
            "\(filter)crop=iw:ih/30:0:ih-ih/30,scale=32:1:flags=area,format=gray", "-fps_mode", "passthrough", "-f",
            "rawvideo", target,
        ])
        let cells = Array(try bytes(target))
        return stride(from: 0, to: cells.count, by: 32).map { start in
            let picture = cells[start..<start + 32]
            return (isMirrored ? Array(picture.reversed()) : Array(picture)).reduce(0) { $0 << 1 | ($1 > 128 ? 1 : 0) }
        }
    }

    /// Whether each number is one more than the one before.
    static func isGapless(_ sequences: some Collection<UInt32>) -> Bool {
        zip(sequences, sequences.dropFirst()).allSatisfy { $0 + 1 == $1 }
    }

    /// Writes noise for the microphone; every part of it is unlike every other.
    func makeNoise(_ name: String, seconds: Int = 12) throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=d=\(seconds):c=pink:r=48000:a=0.5:seed=7,lowpass=f=8000", "-f", "s16le",
            "-ac",
            "1", name,
        ])
    }

    /// Which sample of the microphone's noise is heard at a time of a movie.
    /// - Parameter expected: about where, in samples; 0.15 s to both sides are searched.
    /// - Returns: nil when nothing there is like it.
    func position(in samples: [Float], at time: Double, ofNoise noise: [Float], near expected: Double) -> Int? {
        let start = Int(time * 48_000)
        let length = 4000
        guard start >= 0, start + length <= samples.count else { return nil }
        let piece = samples[start..<start + length]
        let power = piece.reduce(0) { $0 + $1 * $1 }
        var best = (score: Float(0), offset: 0)
        for offset in -7200...7200 {
            var (product, other): (Float, Float) = (0, 0)
            var index = (Int(expected) + offset) % noise.count
            if index < 0 { index += noise.count }
            for sample in piece {
                product += sample * noise[index]
                other += noise[index] * noise[index]
                index += 1
                if index == noise.count { index = 0 }
            }
            let score = product / max(1e-9, (power * other).squareRoot())
            if score > best.score { best = (score, offset) }
        }
        return best.score > 0.7 ? Int(expected) + best.offset : nil
    }

    /// Samples of the first channel at 48 kHz from the movie's time 0 on; what an encoder put before it is left out.
    func samplesFromZero(_ name: String) throws -> [Float] {
        let target = "tmp/samples-\(UUID().uuidString)"
        try ffmpeg([
            "-copyts", "-i", name, "-vn", "-af", "atrim=start=0,pan=mono|c0=c0", "-ar", "48000", "-f", "f32le", target,
        ])
        return try bytes(target).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Samples of a raw file of 16-bit numbers.
    func rawSamples(_ name: String) throws -> [Float] {
        try bytes(name).withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32768 } }
    }

    /// Mean difference of luma eight pixels apart in a row of the rig's gradient, jumps left out: 8 at zoom 1, 8 / z at z.
    func slope(_ name: String, frame: Int) throws -> Double {
        let target = "tmp/row-\(UUID().uuidString)"
        try ffmpeg([
            "-i", name, "-an", "-vf", "select=eq(n\\,\(frame)),crop=iw:2:0:ih/3,format=gray", "-frames:v", "1", "-f",
            "rawvideo", target,
        ])
        let row = Array(try bytes(target)).map(Double.init)
        let width = row.count / 2
        let steps = (0..<width - 8).map { abs(row[$0 + 8] - row[$0]) }.filter { $0 < 30 }
        return steps.reduce(0, +) / Double(max(1, steps.count))
    }
}
