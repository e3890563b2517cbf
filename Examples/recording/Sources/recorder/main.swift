import EditorCore
import EditorKit
import EditorRecording
import Foundation

// Records two segments of two seconds, the second from the other camera, and merges them by a config: record.sh as a program
// of one's own, without the command line.
//
//     swift run recorder recording.json movie.mp4

guard CommandLine.arguments.count == 3 else { fatalError("usage: recorder CONFIG MOVIE") }
let (path, movie) = (CommandLine.arguments[1], CommandLine.arguments[2])

do {
    let config = try ConfigurationDocument(contentsOf: path)
    let folder = Composition.folder(of: path)
    let (configuration, findings, _) = Configuration.read(config, requiresClips: false)
    if let error = EditorError(findings) { throw error }
    let settings = try RecordedComposition.settings(configuration, baseDirectory: folder)

    // The session runs on a thread of its own. It leaves its newest picture and never waits for whoever shows it.
    let newest = LivePicture()
    let store = RecordedComposition.sessionStore
    let session = try RecordingSession(settings, store: store, preview: newest.put) { event in
        switch event {
        case .segmentAdded(let segment): print("\(segment.frameCount) pictures, \(segment.lostCount) lost")
        case .finding(let finding): print(finding.message)
        case .failure(let error): print(error.message)
        default: break
        }
    }
    let length = MediaTime(seconds: 2)
    for command: RecordingCommand in [.start(length), .wait(nil), .flip, .start(length), .wait(nil), .finish] {
        session.send(command)
    }

    // What a window would show: the camera under the config's effects, which are not recorded.
    let live = try LiveComposition(
        config.value, baseDirectory: folder, registry: try .standard(), record: session.record)
    var shown = 0
    while !session.hasEnded {
        if let frame = newest.take() {
            _ = try live.picture(of: frame, at: session.record.duration.seconds)
            shown += 1
        } else {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
    print("\(shown) pictures shown")

    guard session.waitUntilEnded() == .finished else { fatalError("nothing was recorded") }
    let (_, document) = try RecordedComposition.write(session.record, over: config.value, store: store)
    let composition = Composition(document, baseDirectory: folder, registry: try .standard())
    print(try composition.render(to: movie).path)
} catch {
    print("\(error)")
    exit(1)
}
