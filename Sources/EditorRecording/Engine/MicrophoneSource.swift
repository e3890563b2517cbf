internal import EditorCapture
internal import EditorCore
internal import Glibc

/// A running microphone and its sound on the clock. Belongs to one thread; stops the microphone in `deinit`.
final class MicrophoneSource {
    let capture: MicrophoneCapture
    let timeline: SoundTimeline
    private var power = 0.0
    private var last: (epoch: Int, readAt: MonotonicTime)?

    init(_ name: String, post: @escaping @Sendable (MicrophoneMessage) -> Void) throws {
        capture = try MicrophoneCapture(name) {
            post(.sound($0))
        } lost: {
            post(.lost($0))
        }
        timeline = SoundTimeline(rate: capture.rate)
    }

    deinit { capture.stop() }

    /// - Returns: seconds of sound that were missed before the block, as nobody took them in time.
    func take(_ block: MicrophoneBlock) -> Double {
        timeline.append(block)
        defer { last = (block.epoch, block.readAt) }
        let count = block.sound.sampleCount
        guard count > 0 else { return 0 }
        var sum = 0.0
        for sample in block.sound.channels[0] { sum += Double(sample) * Double(sample) }
        // Falls as a meter does: to a third in a tenth of a second.
        let share = 1 - exp(-Double(count) / Double(capture.rate) / 0.1)
        power += (sum / Double(count) - power) * share
        guard let last, last.epoch != block.epoch else { return 0 }
        return max(0, block.readAt - last.readAt - Double(block.capturedCount) / Double(capture.rate))
    }

    /// dB below full scale, −120 at least.
    var level: Double { power > 1e-12 ? 10 * log10(power) : -120 }
}

/// What a microphone's thread has to say.
enum MicrophoneMessage: Sendable {
    case sound(MicrophoneBlock)
    case lost(EditorError)
}
