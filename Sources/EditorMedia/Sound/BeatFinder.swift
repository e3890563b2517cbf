internal import CAubio
internal import EditorCore
internal import Glibc

/// aubio's beat and onset trackers over a whole sound. Belongs to one thread.
///
/// The beat tracker follows the music and needs some seconds to find its feet. Short pieces are played to it twice, so
/// that it has them.
final class BeatFinder {
    private typealias New = @convention(c) (UnsafePointer<CChar>, UInt32, UInt32, UInt32) -> OpaquePointer?
    private typealias Follow =
        @convention(c) (OpaquePointer, UnsafePointer<fvec_t>, UnsafeMutablePointer<fvec_t>) ->
        Void
    private typealias Last = @convention(c) (OpaquePointer) -> Float
    private typealias Delete = @convention(c) (OpaquePointer) -> Void

    /// One of aubio's trackers; `kind` is the word in its functions' names.
    private final class Tracker {
        private let tracker: OpaquePointer
        private let follow: Follow
        private let last: Last
        private let delete: Delete
        private let hop: Int
        private var answer: [Float] = [0, 0]

        init(_ kind: String, hop: Int, window: Int) throws {
            let library = try BeatFinder.library.get()
            let make = unsafeBitCast(try library.address(of: "new_aubio_\(kind)"), to: New.self)
            follow = unsafeBitCast(try library.address(of: "aubio_\(kind)_do"), to: Follow.self)
            last = unsafeBitCast(try library.address(of: "aubio_\(kind)_get_last_s"), to: Last.self)
            delete = unsafeBitCast(try library.address(of: "del_aubio_\(kind)"), to: Delete.self)
            guard let made = make("default", UInt32(window), UInt32(hop), UInt32(AudioFormat.sampleRate)) else {
                throw EditorError(.ioFailed, "new_aubio_\(kind) failed: memory is short")
            }
            (tracker, self.hop) = (made, hop)
        }

        deinit { delete(tracker) }

        /// Takes `hop` samples; the time of an event that is known now, in seconds since the first sample taken.
        func next(_ samples: UnsafeMutablePointer<Float>) -> Double? {
            answer.withUnsafeMutableBufferPointer { answer in
                var input = fvec_t(length: UInt32(hop), data: samples)
                var output = fvec_t(length: 1, data: answer.baseAddress)
                follow(tracker, &input, &output)
                return answer[0] == 0 ? nil : Double(last(tracker))
            }
        }
    }

    private static let library = Result {
        try DynamicLibrary(["libaubio.so.5"], for: "finding beats", package: "libaubio5")
    }

    private static let hop = 512
    /// Pieces shorter than this many seconds are played twice, and so much of them the first time.
    private static let (shortPiece, leadTime) = (20.0, 12.0)

    private let pulse: Tracker
    private let onset: Tracker

    /// - Throws: `EditorError` `.unavailable` when there is no aubio.
    init() throws {
        pulse = try Tracker("tempo", hop: Self.hop, window: 2 * Self.hop)
        onset = try Tracker("onset", hop: Self.hop / 2, window: 2 * Self.hop)
    }

    /// Listens to a sound from its start to its end.
    /// - Throws: `EditorError.cancelled` soon after `cancellation` is raised.
    func beats(of sound: any AudioReading, cancellation: Cancellation) throws -> BeatTrack {
        let rate = Double(AudioFormat.sampleRate)
        var block = AudioBuffer(sampleCount: Self.hop)
        var mono = [Float](repeating: 0, count: Self.hop)
        var (beats, onsets): ([Double], [Double]) = ([], [])
        var heard = 0

        /// Plays `count` samples, or all there are; returns how many there were.
        func play(_ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) throws -> Int {
            var position = 0
            while position < count {
                if heard % (64 * Self.hop) == 0 { try cancellation.check() }
                block.clear(sampleCount: Self.hop)
                let got = try sound.read(from: position, into: &block)
                for i in 0..<Self.hop { mono[i] = (block.channels[0][i] + block.channels[1][i]) / 2 }
                mono.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
                heard += Self.hop
                position += Self.hop
                if got < Self.hop { return position - Self.hop + got }
            }
            return position
        }

        let short = Int(Self.shortPiece * rate)
        let found = try play(short) { _ in }
        var offset = 0.0
        if found < short {
            let before = heard
            _ = try play(Int(Self.leadTime * rate)) { _ = pulse.next($0) }
            offset = Double(heard - before) / rate
        }
        let length = try play(.max) { samples in
            if let beat = pulse.next(samples) { beats.append(beat - offset) }
            for half in [0, Self.hop / 2] {
                if let time = onset.next(samples + half) { onsets.append(time) }
            }
        }
        let end = Double(length) / rate
        // aubio takes the very beginning for an onset.
        let refinement = BeatRefinement(onsets: onsets.filter { $0 > 0.01 && $0 < end })
        let times = refinement.refine(beats.filter { $0 >= 0 && $0 < end }).filter { $0 >= 0 && $0 < end }
        return BeatTrack(tempo: Self.tempo(of: times), times: times, duration: end)
    }

    /// The mean of the distances that are near their median.
    private static func tempo(of times: [Double]) -> Double? {
        guard times.count >= 4 else { return nil }
        let distances = BeatRefinement.distances(times)
        let median = BeatRefinement.median(distances)
        let usual = distances.filter { abs($0 - median) < 0.15 * median }
        guard median > 0, !usual.isEmpty else { return nil }
        return 60 * Double(usual.count) / usual.reduce(0, +)
    }
}
