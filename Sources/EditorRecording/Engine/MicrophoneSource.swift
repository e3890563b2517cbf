internal import EditorCapture
internal import EditorCore
internal import Glibc

/// A running microphone and its sound on the clock. Belongs to one thread; stops the microphone in `deinit`.
final class MicrophoneSource {
    let capture: MicrophoneCapture
    let timeline: SoundTimeline
    private var power = 0.0

    init(_ name: String, post: @escaping @Sendable (MicrophoneMessage) -> Void) throws {
        capture = try MicrophoneCapture(name) {
            post(.sound($0))
        } lost: {
            post(.lost($0))
        }
        timeline = SoundTimeline(rate: capture.rate)
    }

    deinit { capture.stop() }

    func take(_ block: MicrophoneBlock) {
        timeline.append(block)
        let count = block.sound.sampleCount
        guard count > 0 else { return }
        var sum = 0.0
        for sample in block.sound.channels[0] { sum += Double(sample) * Double(sample) }
        // Falls as a meter does: to a third in a tenth of a second.
        let share = 1 - exp(-Double(count) / Double(capture.rate) / 0.1)
        power += (sum / Double(count) - power) * share
    }

    /// dB below full scale, −120 at least.
    var level: Double { power > 1e-12 ? 10 * log10(power) : -120 }
}

/// What a microphone's thread has to say.
enum MicrophoneMessage: Sendable {
    case sound(MicrophoneBlock)
    case lost(EditorError)
}
