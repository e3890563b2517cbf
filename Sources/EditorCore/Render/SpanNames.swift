internal import Synchronization

/// Under which names the spans of one run are kept. A span that lacks an effect which failed is kept for this run only,
/// under a name that no other run looks for.
final class SpanNames: Sendable {
    private let format: any MovieFormat
    private let incomplete = Mutex<[Int: Fingerprint]>([:])

    init(format: any MovieFormat) { self.format = format }

    func name(of span: RenderSpan) -> Fingerprint {
        incomplete.withLock { $0[span.index] } ?? RenderSession.name(of: span, format: format)
    }

    func markIncomplete(_ span: RenderSpan) {
        let name = RenderSession.name(of: span, format: format)
        let other = Fingerprint("\(name) incomplete \(UInt64.random(in: .min ... .max))")
        incomplete.withLock { $0[span.index] = other }
    }

    /// Where sound that lacks an effect is kept; nil while none does.
    var soundName: Fingerprint? { incomplete.withLock { $0[Self.sound] } }

    func markSoundIncomplete(_ name: Fingerprint) {
        let other = Fingerprint("\(name) incomplete \(UInt64.random(in: .min ... .max))")
        incomplete.withLock { $0[Self.sound] = other }
    }

    /// Stands among the spans' numbers for the sound.
    private static let sound = -1

    /// The names that are of no use once the run is over.
    var passing: [Fingerprint] { incomplete.withLock { Array($0.values) } }
}
