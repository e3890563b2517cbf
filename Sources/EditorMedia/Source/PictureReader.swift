internal import CFFmpeg
internal import EditorCore

/// Decodes one video stream and answers which picture is shown at a tick of its clock. Belongs to one thread.
///
/// Reads on where that is enough and seeks where it is not. After a seek nothing is shown before the key frame that
/// decoding starts from, so that both ways give the same picture.
final class PictureReader {
    let ticksPerSecond: Rational

    private let demuxer: Demuxer
    private let index: Int
    private let decoder: Decoder
    private let deinterlaces: Bool
    private var deinterlacer: FilterGraph?
    private let packets: PacketLookahead

    /// The picture that is shown until `upcoming`, and the one after it.
    private var current: (frame: MediaFrame, pts: Int64)?
    private var upcoming: (frame: MediaFrame, pts: Int64)?
    private var spare: [MediaFrame] = []
    /// Pictures with a lower timestamp are not shown: they lead the key frame that a seek landed on.
    private var shownFrom = Int64.min
    /// The same where the container gives that key frame no timestamp: nothing is shown before an intra picture.
    private var awaitsIntra = false
    private var inputEnded = false
    private var ended = false
    /// Whether the deinterlacer still has to be told of the end.
    private var deinterlacerIsOpen = true
    private var lastPTS: Int64?
    /// On the way to a picture, pictures before this tick are decoded only where others are made from them.
    private var neededFrom = Int64.min
    /// When the picture that is looked for begins, where the packets tell.
    private var target: Int64?
    /// Jumps in a row that led to the pictures asked for.
    private var jumps = 0
    /// Whether pictures soon after the next one will be asked for; nil where nobody knows: after two jumps the next
    /// question is taken to lead elsewhere too. Behind a picture that nobody reads on from nothing is decoded.
    var readsOn: Bool?
    /// Whether somebody wants to know what follows a picture, so that decoding never ends with it.
    private var isFollowed = false
    /// Whether the decoder was told to end with `target`.
    private var isDrained = false
    private var skipsOnTheWay: Bool
    private var hasSkipped = false
    /// Whether the file stands behind a key frame that was decoded for its own sake.
    private var isAstray = false
    /// The key frame that was decoded last for its own sake: the time it was looked for under, and its picture.
    private var key: (target: Int64, frame: MediaFrame, pts: Int64)?

    /// So many pictures in front of the one that is looked for are decoded all the same where the packets do not tell
    /// which it is.
    private static let approach: Int64 = 8

    init(path: String, stream index: Int, isInterlaced: Bool) throws {
        demuxer = try Demuxer(path: path)
        self.index = index
        demuxer.readOnly(streams: [index])
        let stream = demuxer.stream(index)
        let base = stream.pointee.time_base.rational
        ticksPerSecond = Rational(base.denominator, base.numerator)
        decoder = try Decoder(stream: stream, path: path)
        deinterlaces = isInterlaced
        skipsOnTheWay = decoder.canSkipDisposable && !isInterlaced
        packets = PacketLookahead(demuxer, stream: index)
    }

    /// The picture whose interval holds `tick`; the first or last one beyond the ends.
    func picture(at tick: Int64) throws -> (MediaFrame, Int64) {
        if let found = try advance(to: tick) {
            let isPassedOver = hasSkipped && found.1 < neededFrom
            hasSkipped = isPassedOver
            if !isPassedOver, !isDrained || found.1 == target { return found }
        }
        // What shows is none of the pictures that the packets promised, or is shown for long, so that one that was
        // passed over may come after it. Such a stream is decoded whole.
        skipsOnTheWay = false
        try seek(to: tick)
        guard let found = try advance(to: tick) else {
            throw EditorError(.ioFailed, "\(demuxer.path) gave no picture")
        }
        return found
    }

    /// - Returns: nil when nothing can be decoded.
    private func advance(to tick: Int64) throws -> (MediaFrame, Int64)? {
        let isBehind = current.map { tick < $0.pts } ?? false
        if try isAstray || isDrained || isBehind || shouldSkip(to: tick) {
            jumps += 1
            try seek(to: tick)
        } else {
            jumps = 0
        }
        try aim(at: tick)
        if current == nil { current = try decodeNext() }
        while let shown = current, shown.pts != target {
            if upcoming == nil { upcoming = try decodeNext() }
            guard let next = upcoming, next.pts <= tick else { break }
            spare.append(shown.frame)
            current = next
            upcoming = nil
        }
        return current
    }

    /// Finds out what has to be decoded on the way to the picture at `tick`.
    private func aim(at tick: Int64) throws {
        target = skipsOnTheWay ? try packets.lastPicture(upTo: tick) : nil
        neededFrom = skipsOnTheWay ? target ?? tick - Self.approach * ticksPerFrame : .min
    }

    /// The key frame nearest to `tick`, or the one before it where the container has no table of them; nil when no key
    /// frame decodes by itself there.
    func keyPicture(near tick: Int64) throws -> (MediaFrame, Int64)? {
        let target = max(startTick, demuxer.nearestIndexedKey(index, to: tick) ?? tick)
        if let key, key.target == target { return (key.frame, key.pts) }
        guard !deinterlaces, demuxer.seek(stream: index, to: target) || demuxer.rewind() else { return nil }
        reset()
        let frame = try MediaFrame()
        guard try sendFirstKey(before: .max, aiming: nil) else { return nil }
        _ = try decoder.send(nil)
        let isDecoded = if case .frame = try decoder.receive(into: frame) { true } else { false }
        reset()
        isAstray = true
        guard isDecoded else { return nil }
        let pts = frame.pts ?? target
        key = (target, frame, pts)
        return (frame, pts)
    }

    /// The picture that follows the one that was asked for last; nil after the last one.
    func upcomingPicture() throws -> (MediaFrame, Int64)? {
        isFollowed = true
        if isDrained, let current { _ = try picture(at: current.pts) }
        if upcoming == nil { upcoming = try decodeNext() }
        return upcoming
    }

    /// The key frame that the picture at `tick` is decoded from, by the container's table; nil where that does not tell.
    func indexedKey(at tick: Int64) -> Int64? { demuxer.indexedKeyPicture(index, at: tick) }

    /// Whether jumping forward saves decoding: the container knows of a key frame well ahead of here.
    private func shouldSkip(to tick: Int64) throws -> Bool {
        guard let here = upcoming?.pts ?? current?.pts ?? lastPTS else {
            // Nothing decoded yet: a jump to near the beginning saves nothing.
            return MediaTime(seconds: 1) * ticksPerSecond < MediaTime(value: tick - startTick, timescale: 1)
        }
        guard tick > here else { return false }
        if let key = demuxer.indexedKey(index, at: tick) {
            return key > here + ticksPerSecond.numerator / ticksPerSecond.denominator / 4
        }
        return MediaTime(seconds: 5) * ticksPerSecond < MediaTime(value: tick - here, timescale: 1)
    }

    private var startTick: Int64 {
        let start = demuxer.stream(index).pointee.start_time
        return start == editor_AV_NOPTS_VALUE ? 0 : start
    }

    /// Starts decoding at a key frame so that the first picture is not after `tick`; at the beginning when there is no
    /// such key frame.
    private func seek(to tick: Int64) throws {
        // A deinterlacer looks at the pictures before and after.
        let latest = deinterlaces ? tick - 3 * ticksPerFrame : tick
        var target = deinterlaces ? tick - 4 * ticksPerFrame : tick
        var step = max(1, ticksPerSecond.numerator / ticksPerSecond.denominator)
        for _ in 0..<8 {
            guard target > startTick, demuxer.seek(stream: index, to: target) else { break }
            reset()
            if try sendFirstKey(before: latest, aiming: tick), let first = try decodeNext(), first.1 <= latest {
                current = first
                return
            }
            // Decoders give nothing until a gradual refresh is through; some containers seek by decoding times.
            target -= step
            step *= 2
        }
        if !demuxer.rewind() {
            throw EditorError(.ioFailed, "\(demuxer.path) cannot be read from its beginning again")
        }
        reset()
    }

    private var ticksPerFrame: Int64 {
        let rate = demuxer.stream(index).pointee.avg_frame_rate
        guard rate.num > 0 else { return 1 }
        return max(1, (MediaTime(seconds: 1) / rate.rational).ticksRounded(per: ticksPerSecond))
    }

    /// Sends packets up to the first key frame; false when that is after `latest`, or when there is none.
    /// - Parameter tick: what is looked for from there on.
    private func sendFirstKey(before latest: Int64, aiming tick: Int64?) throws -> Bool {
        while let packet = try packets.next() {
            defer { packets.giveBack(packet) }
            guard packet.isKey, let time = packet.pts ?? packet.dts else { continue }
            guard time <= latest else { return false }
            shownFrom = packet.pts ?? .min
            awaitsIntra = packet.pts == nil
            if let tick { try aim(at: tick) }
            try send(packet)
            return true
        }
        return false
    }

    private func send(_ packet: Packet) throws {
        _ = try decoder.send(packet)
        guard !(readsOn ?? (jumps < 2)), !isFollowed, let target, packet.pts == target else { return }
        inputEnded = true
        isDrained = true
        _ = try decoder.send(nil)
    }

    private func reset() {
        packets.clear()
        decoder.flush()
        decoder.skipsDisposable = false
        key = nil
        hasSkipped = false
        isAstray = false
        isDrained = false
        target = nil
        deinterlacer = nil
        current = nil
        upcoming = nil
        lastPTS = nil
        shownFrom = .min
        awaitsIntra = false
        inputEnded = false
        ended = false
        deinterlacerIsOpen = true
    }

    /// The next picture in presentation order, or nil at the end.
    private func decodeNext() throws -> (MediaFrame, Int64)? {
        let frame = try spare.popLast() ?? MediaFrame()
        while !ended {
            if let deinterlacer, try deinterlacer.pull(into: frame) {
                if let picture = accept(frame) { return picture }
                continue
            }
            switch try decoder.receive(into: frame) {
            case .frame:
                if deinterlaces {
                    if deinterlacer == nil {
                        deinterlacer = try FilterGraph(
                            "bwdif=mode=send_frame:parity=auto:deint=interlaced", like: frame,
                            timeBase: demuxer.stream(index).pointee.time_base)
                    }
                    frame.pointer.pointee.pts = frame.pointer.pointee.best_effort_timestamp
                    try deinterlacer?.push(frame)
                    continue
                }
                if let picture = accept(frame) { return picture }
            case .needsInput:
                if inputEnded {
                    ended = true
                } else if let packet = try packets.next() {
                    defer { packets.giveBack(packet) }
                    decoder.skipsDisposable = packet.pts.map { $0 < neededFrom } ?? false
                    hasSkipped = hasSkipped || decoder.skipsDisposable
                    try send(packet)
                } else {
                    inputEnded = true
                    _ = try decoder.send(nil)
                }
            case .end:
                if let deinterlacer, deinterlacerIsOpen {
                    deinterlacerIsOpen = false
                    try deinterlacer.push(nil)
                    continue
                }
                ended = true
            }
        }
        spare.append(frame)
        return nil
    }

    /// Checks a decoded picture's time: it must rise, or the picture is left out.
    private func accept(_ frame: MediaFrame) -> (MediaFrame, Int64)? {
        let pts = frame.pts ?? lastPTS.map { $0 + ticksPerFrame } ?? startTick
        if awaitsIntra {
            guard frame.isIntra else { return nil }
            awaitsIntra = false
        }
        guard pts >= shownFrom, lastPTS.map({ pts > $0 }) ?? true else { return nil }
        if frame.pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0, lastPTS == nil, shownFrom == .min, !inputEnded {
            return nil
        }
        lastPTS = pts
        return (frame, pts)
    }
}
