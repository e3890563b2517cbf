internal import EditorCore

/// A sound that skips its beginning and plays on and on, with seams exact to the sample.
///
/// Positions are samples since the music's first sample. The length of one round comes from the decoded sound itself:
/// until its end has been read, a length that the file states is only believed as an upper bound.
final class LoopedSound {
    private let open: () throws -> any AudioReading
    /// One for the even rounds, one for the odd ones if two may sound at once; so each reads straight on.
    private var readers: [any AudioReading]
    private let sourceStart: Int
    /// nil is without end.
    private let rounds: Int?
    private let wantedCrossfade: Int

    /// Samples from `sourceStart` to the sound's end; nil until that is known.
    private var roundLength: Int?
    /// How far the first round has been read.
    private var reach = 0
    private var scratch = AudioBuffer(sampleCount: 0)
    private var crossGains = SampleGains()

    /// - Parameters:
    ///   - rounds: how often it plays; nil is without end.
    ///   - crossfade: samples that the end of a round sounds into the next; at most half of a round.
    ///   - open: makes a new reader.
    init(sourceStart: Int, rounds: Int?, crossfade: Int, open: @escaping () throws -> any AudioReading) throws {
        self.open = open
        readers = [try open()]
        self.sourceStart = sourceStart
        self.rounds = rounds
        wantedCrossfade = rounds == 1 ? 0 : crossfade
        roundLength = readers[0].sampleCount.map { max(0, $0 - sourceStart) }
        if wantedCrossfade > 0 {
            readers.append(try open())
            _ = try findRoundLength()
        }
    }

    /// Whether there is nothing to hear.
    func isEmpty() throws -> Bool {
        if let roundLength { return roundLength == 0 }
        scratch.clear(sampleCount: 1)
        return try readers[0].read(from: sourceStart, into: &scratch) == 0
    }

    /// Samples from the first to the end of the last round; nil when it plays without end. May have to read the file.
    func length() throws -> Int? {
        guard let rounds else { return nil }
        let round = try findRoundLength()
        return (rounds - 1) * period(round) + round
    }

    /// Fills `buffer` with the sound from `position` (0 or more) on; behind the end there is silence.
    func read(from position: Int, into buffer: inout AudioBuffer) throws {
        let count = buffer.sampleCount
        try findEnd(before: position)
        var filled = 0
        while filled < count {
            filled += try readRun(from: position + filled, into: &buffer, at: filled)
        }
    }

    /// Reads up to the next seam; returns the number of samples, at least one unless the round turned out shorter.
    private func readRun(from position: Int, into buffer: inout AudioBuffer, at filled: Int) throws -> Int {
        let wanted = buffer.sampleCount - filled
        guard let round = roundLength else {
            // Still in the first round, and its end is not in sight.
            return try readFirstRound(offset: position, wanted, into: &buffer, at: filled)
        }
        let (fade, step) = (crossfade(round), period(round))
        guard round > 0, rounds.map({ position < ($0 - 1) * step + round }) ?? true else {
            silence(&buffer, filled..<buffer.sampleCount)
            return wanted
        }
        let number = min(position / step, (rounds ?? .max) - 1)
        let offset = position - number * step
        if number == 0 {
            let end = rounds == 1 ? round : step
            return try readFirstRound(offset: offset, min(wanted, end - offset), into: &buffer, at: filled)
        }
        let isCrossing = offset < fade
        let end = isCrossing ? fade : number + 1 == rounds ? round : step
        let run = min(wanted, end - offset)
        try readSource(number, offset, run)
        if isCrossing {
            crossGains.reset(from: offset, count: run)
            crossGains.fadeIn(from: 0, length: fade, .equalPower)
            scratch.scale(by: crossGains)
        }
        buffer.replace(at: filled, with: scratch)
        if isCrossing {
            try readSource(number - 1, offset + step, run)
            crossGains.reset(from: offset, count: run)
            crossGains.fadeOut(to: fade, length: fade, .equalPower)
            buffer.add(scratch, at: filled, gains: crossGains)
        }
        return run
    }

    /// The first round is read in order and so finds the true end of the sound.
    private func readFirstRound(offset: Int, _ run: Int, into buffer: inout AudioBuffer, at filled: Int) throws -> Int {
        let got = try readSource(0, offset, run)
        if got < run { roundLength = offset + got }
        reach = max(reach, offset + got)
        buffer.replace(at: filled, with: scratch)
        return got
    }

    /// Reads into `scratch`; returns how many samples there are before the sound's end.
    @discardableResult
    private func readSource(_ number: Int, _ offset: Int, _ count: Int) throws -> Int {
        scratch.clear(sampleCount: count)
        return try readers[number % readers.count].read(from: sourceStart + offset, into: &scratch)
    }

    private func silence(_ buffer: inout AudioBuffer, _ range: Range<Int>) {
        for channel in buffer.channels.indices {
            for i in range { buffer.channels[channel][i] = 0 }
        }
    }

    /// Reads on towards `position` when only that can tell in which round it lies.
    private func findEnd(before position: Int) throws {
        while roundLength == nil, reach < position {
            let run = min(position - reach, 1 << 14)
            let got = try readSource(0, reach, run)
            reach += got
            if got < run { roundLength = reach }
        }
    }

    private func findRoundLength() throws -> Int {
        try findEnd(before: .max)
        return roundLength ?? 0
    }

    private func crossfade(_ round: Int) -> Int { min(wantedCrossfade, round / 2) }

    /// Samples from the start of a round to the start of the next.
    private func period(_ round: Int) -> Int { max(1, round - crossfade(round)) }
}
