internal import EditorCore
internal import EditorKit

/// `frame`: one composed picture.
enum FrameCommand {
    static let command = Command(
        name: "frame", usage: "--at T --output F.png", summary: "write one composed frame as PNG, JPEG or WebP",
        details: """
            The picture that run would show at that time of the finished movie, before encoding.

            example:
              editor --config cfg.json frame --at 2.5 --output frame.png
            """
    ) { invocation in
        try invocation.expectNoWords()
        let composition = try invocation.composition()
        let options = try invocation.options(for: composition)
        guard let output = options.output else { throw EditorError(.usage, "frame needs --output F.png") }
        guard let at = try invocation.arguments.time("at", frameRate: composition.configuration.frameRate) else {
            throw EditorError(.usage, "frame needs --at T")
        }
        var planning = options
        planning.output = nil
        try composition.writeFrame(at: at, to: output, options: planning)
        invocation.terminal.print(output)
        return ExitCode.done
    }
}

/// `thumbnails`: a filmstrip of the composed movie.
enum ThumbnailsCommand {
    static let command = Command(
        name: "thumbnails", usage: "(--count N | --every T) --output strip.png|DIR",
        summary: "write a filmstrip of the composed movie: one strip, or a picture each into a folder",
        details: """
            A name that ends in .png, .jpg or .webp becomes one strip from left to right; anything else is a folder.

            examples:
              editor --config cfg.json thumbnails --count 8 --output strip.png
              editor --config cfg.json thumbnails --every 0.5 --output thumbs --width 90
            """
    ) { invocation in
        try invocation.expectNoWords()
        let composition = try invocation.composition()
        var options = try invocation.options(for: composition)
        guard let output = options.output else {
            throw EditorError(.usage, "thumbnails needs --output strip.png or a folder")
        }
        options.output = nil
        let count = try invocation.arguments.integer("count", in: 1...1000)
        let every = try invocation.arguments.time("every", frameRate: composition.configuration.frameRate)
        let width = try invocation.arguments.integer("width", in: 2...4096)
        let times: Filmstrip.Times
        switch (count, every) {
        case (let count?, nil): times = .count(count)
        case (nil, let every?) where every > .zero: times = .every(every)
        case (nil, nil): throw EditorError(.usage, "thumbnails needs --count N or --every T")
        case (nil, _): throw EditorError(.usage, "--every must be more than 0")
        default: throw EditorError(.usage, "--count and --every exclude each other")
        }
        let written = try composition.writeFilmstrip(times, to: output, width: width, options: options)
        for path in written { invocation.terminal.print(path) }
        return ExitCode.done
    }
}
