internal import EditorCore
internal import EditorKit

/// `frame`: one composed picture, or several.
enum FrameCommand {
    static let command = Command(
        name: "frame", usage: "(--at T)… --output F.png|DIR [--guides]",
        summary: "write composed frames as PNG, JPEG or WebP",
        details: """
            The picture that run would show at that time of the finished movie, before encoding. With --source FILE it is
            that of a media file as it is, without a config. Several --at write into a folder, with an index.json.

            --guides shades what the apps for short videos lay their buttons and captions over, and marks the part that
            stays free; of a single picture. The margins are those of the guides for advertisers on YouTube and Reels; for
            others they are an estimate.

            --fast takes, of every clip, the key frame nearest to the time: another picture, much sooner. Pictures are
            kept, so that a second call is quick.

            examples:
              editor --config cfg.json frame --at 2.5 --output frame.png
              editor --config cfg.json frame --at 0 --at 75f --at 00:04.5 --width 360 --output frames
              editor frame --source clip.mp4 --at 12 --fast --output look.jpg
            """
    ) { invocation in
        try invocation.expectNoWords()
        let generator = try invocation.frameGenerator(width: try invocation.arguments.integer("width", in: 2...16_384))
        guard let output = invocation.arguments.value("output") else {
            throw EditorError(.usage, "frame needs --output F.png")
        }
        let times = try invocation.times("at", of: generator)
        guard let first = times.first else { throw EditorError(.usage, "frame needs --at T") }
        let hasLabels = invocation.arguments.has("labels")
        guard times.count > 1 else {
            let picture = try generator.writePicture(
                at: first, to: output, hasLabel: hasLabels, hasGuides: invocation.arguments.has("guides"),
                replacing: invocation.arguments.has("overwrite"))
            invocation.tell([picture])
            invocation.print(
                [
                    "path": .string(output), "frame": picture.frame.map { .number(Double($0)) } ?? .null,
                    "time": .number(picture.time.seconds),
                ], words: output)
            return ExitCode.done
        }
        guard !output.hasImageEnding else {
            throw EditorError(.usage, "\(times.count) frames go into a folder; \(output) names a file")
        }
        invocation.show(try generator.writeFilmstrip(.list(times), to: output, layout: try invocation.layout))
        return ExitCode.done
    }
}

/// `thumbnails`: a filmstrip of the composed movie, or of a media file.
enum ThumbnailsCommand {
    static let command = Command(
        name: "thumbnails", usage: "(--count N | --every T | (--at T)…) --output strip.png|DIR",
        summary: "write a filmstrip of the composed movie: one strip, or a picture each into a folder",
        details: """
            A name that ends in .png, .jpg or .webp becomes one strip from left to right; anything else is a folder, in
            which index.json tells each picture's time and file. --json prints that index. With --source FILE the pictures
            are those of a media file as it is, without a config.

            --fast takes, of every clip, the key frame nearest to each time: for scrubbing. Pictures are kept, so that a
            second call is quick.

            examples:
              editor --config cfg.json thumbnails --count 8 --output strip.png
              editor --config cfg.json thumbnails --every 0.5 --output thumbs --width 90 --labels
              editor thumbnails --source clip.mp4 --count 20 --fast --output strip.webp
            """
    ) { invocation in
        try invocation.expectNoWords()
        let arguments = invocation.arguments
        let count = try arguments.integer("count", in: 1...1000)
        let width = try arguments.integer("width", in: 2...4096)
        guard let output = arguments.value("output") else {
            throw EditorError(.usage, "thumbnails needs --output strip.png or a folder")
        }
        let generator = try invocation.frameGenerator(width: width, standardWidth: Filmstrip.standardWidth)
        let every = try arguments.time("every", frameRate: generator.frameRate)
        let list = try invocation.times("at", of: generator)
        let times: Filmstrip.Times
        switch (count, every, list.isEmpty) {
        case (let count?, nil, true): times = .count(count)
        case (nil, let every?, true) where every > .zero: times = .every(every)
        case (nil, nil, false): times = .list(list)
        case (nil, nil, true): throw EditorError(.usage, "thumbnails needs --count N, --every T, or --at T")
        case (nil, _, true): throw EditorError(.usage, "--every must be more than 0")
        default: throw EditorError(.usage, "--count, --every and --at exclude each other")
        }
        invocation.show(try generator.writeFilmstrip(times, to: output, layout: try invocation.layout))
        return ExitCode.done
    }
}

extension Invocation {
    /// What the options say about pictures: of the config's movie, or of `--source`.
    /// - Parameter standardWidth: pixels across when no width is given, where the whole is wider; nil is the whole.
    fileprivate func frameGenerator(width: Int?, standardWidth: Int? = nil) throws -> FrameGenerator {
        var options = FrameGenerator.Options()
        options.precision = arguments.has("fast") ? .nearestKeyFrame : .exact
        options.usesCache = !arguments.has("no-cache")
        options.jobs = try arguments.integer("jobs", in: 1...256)
        options.width = width
        options.cancellation = Process.cancellation
        if let source = arguments.value("source") {
            for name in ["config", "from", "to", "set", "draft", "strict"] where arguments.has(name) {
                throw EditorError(.usage, "--source shows a media file as it is; --\(name) does not go with it")
            }
            Process.cancelOnSignals()
            return try FrameGenerator(source: source, options: options, standardWidth: standardWidth)
        }
        let composition = try composition(isCancellable: true)
        var rendering = try self.options(for: composition)
        rendering.output = nil
        return try FrameGenerator(
            composition, rendering: rendering, options: options, standardWidth: standardWidth)
    }

    /// Every time given with an option that may be repeated.
    fileprivate func times(_ name: String, of generator: FrameGenerator) throws -> [MediaTime] {
        try arguments.all(name).map {
            try Arguments.parseTime($0, name: "--\(name)", frameRate: generator.frameRate)
        }
    }

    fileprivate var layout: FilmstripLayout {
        get throws {
            var layout = FilmstripLayout()
            layout.hasLabels = arguments.has("labels")
            layout.overwrites = arguments.has("overwrite")
            if let format = arguments.value("format") {
                guard FilmstripLayout.formats.contains(format) else {
                    throw EditorError(
                        .usage, "--format \"\(format)\" is none of \(FilmstripLayout.formats.joined(separator: ", "))")
                }
                layout.format = format
            }
            return layout
        }
    }

    /// Says more of pictures, for the curious.
    fileprivate func tell(_ pictures: [Filmstrip.Picture]) {
        for picture in pictures {
            terminal.note("\(picture.path): \(picture.frame.map { "frame \($0), " } ?? "")at \(picture.time) s")
        }
    }

    fileprivate func show(_ strip: Filmstrip) {
        tell(strip.pictures)
        if wantsJSON { return terminal.print(strip.index.text(indent: 2)) }
        var last: String?
        for picture in strip.pictures where picture.path != last {
            terminal.print(picture.path)
            last = picture.path
        }
    }
}

extension String {
    fileprivate var hasImageEnding: Bool {
        FilmstripLayout.formats.contains { self.lowercased().hasSuffix("." + $0) }
    }
}
