import EditorCore
import Testing

@Suite struct WaveformTests {
    /// Columns of a ramp are its extremes; of long sounds too, whose stretches were put together.
    @Test(arguments: [1_000, 48_000, 3_000_000])
    func columnsHoldTheirSamples(count: Int) {
        var waveform = Waveform(channelCount: 1)
        var block = AudioBuffer(channelCount: 1, sampleCount: 0)
        for start in stride(from: 0, to: count, by: 7_777) {
            block.channels[0] = (start..<min(start + 7_777, count)).map { Float($0) / Float(count) }
            waveform.add(block)
        }
        #expect(waveform.sampleCount == count)
        let columns = waveform.columns(50, ofChannel: 0)
        #expect(columns.count == 50 && columns[0].least == 0 && columns[49].most == Float(count - 1) / Float(count))
        for (number, column) in columns.enumerated() {
            let (low, high) = (Float(number) / 50, Float(number + 1) / 50)
            // Stretches of 16 samples and more do not end where columns do.
            #expect(abs(column.least - low) < 0.017 && abs(column.most - high) < 0.017)
            let mean = ((high * high + high * low + low * low) / 3).squareRoot()
            #expect(abs(column.rms - mean) < 0.017)
        }
    }

    @Test func silenceAndNothing() {
        var waveform = Waveform()
        #expect(waveform.columns(3, ofChannel: 1).allSatisfy { $0.most == 0 && $0.rms == 0 })
        waveform.add(AudioBuffer(sampleCount: 5))
        #expect(waveform.columns(9, ofChannel: 1).allSatisfy { $0.least == 0 && $0.most == 0 && $0.rms == 0 })
    }
}
