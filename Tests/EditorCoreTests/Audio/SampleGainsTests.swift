import EditorCore
import EditorTestSupport
import Foundation
import Testing

@Suite struct SampleGainsTests {
    @Test func fadesAreExactToTheSample() {
        var gains = SampleGains()
        gains.reset(from: 90, count: 40)
        gains.fadeIn(from: 100, length: 10, .linear)
        #expect(gains.values[...10].allSatisfy { $0 == 0 })
        #expect(abs(gains.values[15] - 0.5) < 1e-6)
        #expect(gains.values[20...].allSatisfy { $0 == 1 })

        gains.reset(from: 90, count: 40)
        gains.fadeOut(to: 120, length: 10, .linear)
        #expect(gains.values[...20].allSatisfy { $0 == 1 })
        #expect(abs(gains.values[29] - 0.1) < 1e-6)
        #expect(gains.values[30...].allSatisfy { $0 == 0 })
    }

    @Test func equalPowerFadesKeepThePower() {
        var (up, down) = (SampleGains(), SampleGains())
        up.reset(from: 0, count: 1000)
        up.fadeIn(from: 0, length: 1000, .equalPower)
        down.reset(from: 0, count: 1000)
        down.fadeOut(to: 1000, length: 1000, .equalPower)
        for (a, b) in zip(up.values, down.values) { #expect(abs(a * a + b * b - 1) < 1e-5) }
        #expect(abs(up.values[500] - Float(0.5.squareRoot())) < 1e-5)
    }

    @Test func aCurveIsFollowedClosely() {
        func curve(_ sample: Int) -> Double { 1 + sin(Double(sample) / 5000) }
        var gains = SampleGains()
        gains.reset(from: 12_345, count: 5000, to: 0.5)
        gains.multiply(by: curve)
        for i in 0..<5000 { #expect(abs(Double(gains.values[i]) - 0.5 * curve(12_345 + i)) < 1e-5) }
    }

    @Test func blocksOfAnyLengthGiveTheSame() {
        func run(_ lengths: [Int]) -> [Float] {
            var (gains, position, result) = (SampleGains(), 1000, [Float]())
            for length in lengths {
                gains.reset(from: position, count: length)
                gains.multiply { Double($0 % 7777) / 7777 }
                gains.multiply(over: 1500..<1700) { Double($0) / 1000 }
                gains.fadeIn(from: 1100, length: 300, .equalPower)
                gains.fadeOut(to: 1900, length: 200, .linear)
                result += gains.values
                position += length
            }
            return result
        }
        #expect(run([1000]) == run([1, 31, 32, 33, 3, 400, 500]))
        #expect(run([1000]) == run(Array(repeating: 1, count: 1000)))
    }
}

@Suite struct AudioMixingTests {
    @Test(arguments: [0, 1, 3, 64, 1001])
    func kernelsEqualThePlainLoops(count: Int) {
        let a = SyntheticSound.noise(amplitude: 1, count: 1001, seed: 3)
        var b = SyntheticSound.noise(amplitude: 1, count: count, seed: 4)
        if count > 2 { b.channels[0][2] = .greatestFiniteMagnitude }
        var gains = SampleGains()
        gains.reset(from: 5, count: count)
        gains.multiply { Double($0 % 64) / 32 }
        for offset in [0, 7, 1000, 2000] {
            var (byOne, byEach) = (a, a)
            byOne.add(b, at: offset, gain: 0.7)
            byEach.add(b, at: offset, gains: gains)
            var (plainOne, plainEach) = (a, a)
            for channel in 0..<2 {
                for i in 0..<count where offset + i < 1001 {
                    plainOne.channels[channel][offset + i] += b.channels[channel][i] * 0.7
                    plainEach.channels[channel][offset + i] += b.channels[channel][i] * gains.values[i]
                }
            }
            #expect(byOne.channels == plainOne.channels)
            #expect(byEach.channels == plainEach.channels)
        }
        var scaled = b
        scaled.scale(by: gains)
        scaled.scale(by: 0.5)
        for channel in 0..<2 {
            #expect(scaled.channels[channel] == zip(b.channels[channel], gains.values).map { $0 * $1 * 0.5 })
        }
    }
}

@Suite struct GainParameterTests {
    private func read(_ value: JSONValue) -> (Double?, [Finding]) {
        var reading = ParameterReading()
        let gain = ParameterType<Double>.gain().read(value, JSONPointer(["volume"]), &reading)
        return (gain, reading.findings)
    }

    @Test(arguments: [
        (0.25 as JSONValue, 0.25), ("-6dB", 0.501187), ("0dB", 1), ("+6 dB", 1.995262), ("-20.5dB", 0.0944061),
    ])
    func factorsAndDecibels(value: JSONValue, gain: Double) throws {
        #expect(abs(try #require(read(value).0) - gain) < 1e-6)
    }

    @Test(arguments: [-0.1 as JSONValue, 2.5, "7dB", "loud", "-6", "dB", "nandB", "6db", true])
    func whatIsNoGainIsSaidSo(value: JSONValue) {
        let (gain, findings) = read(value)
        #expect(gain == nil)
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("volume") == true)
    }
}
