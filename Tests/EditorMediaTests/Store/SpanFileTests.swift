import EditorCore
import EditorTestSupport
import Testing

@testable import EditorMedia

@Suite struct SpanFileTests {
    static func packets(_ count: Int, seed: UInt64 = 1) -> [EncodedPacket] {
        var random = SplitMix64(seed)
        return (0..<count).map { index in
            EncodedPacket(
                data: (0..<Int(random.next() % 50)).map { _ in UInt8(truncatingIfNeeded: random.next()) },
                pts: Int64(index), dts: Int64(index) - 2, duration: 1, isKey: index == 0)
        }
    }

    static func areEqual(_ a: [EncodedPacket]?, _ b: [EncodedPacket]) -> Bool {
        guard let a, a.count == b.count else { return false }
        return zip(a, b).allSatisfy {
            $0.data == $1.data && $0.pts == $1.pts && $0.dts == $1.dts && $0.duration == $1.duration
                && $0.isKey == $1.isKey
        }
    }

    @Test(arguments: [0, 1, 20])
    func whatIsWrittenIsRead(count: Int) {
        let packets = Self.packets(count)
        #expect(Self.areEqual(SpanFile.decode(SpanFile.encode(packets)), packets))
    }

    @Test func everyShorterFileIsRefused() {
        let bytes = SpanFile.encode(Self.packets(5))
        for length in 0..<bytes.count { #expect(SpanFile.decode(Array(bytes[..<length])) == nil, "\(length) bytes") }
    }

    @Test func aLongerFileIsRefused() {
        #expect(SpanFile.decode(SpanFile.encode(Self.packets(5)) + [0]) == nil)
        #expect(SpanFile.decode(SpanFile.encode(Self.packets(5)) + Array(repeating: 0, count: 8)) == nil)
    }

    @Test func everyFlippedBitIsNoticed() {
        let bytes = SpanFile.encode(Self.packets(4))
        for position in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << bit
                #expect(SpanFile.decode(damaged) == nil, "byte \(position), bit \(bit)")
            }
        }
    }

    /// A machine that went down may leave a file of the right length with holes in it.
    @Test func holesAreNoticed() {
        let bytes = SpanFile.encode(Self.packets(40))
        for start in stride(from: 0, to: bytes.count - 64, by: 37)
        where bytes[start..<start + 64].contains(where: { $0 != 0 }) {
            var torn = bytes
            for i in start..<start + 64 { torn[i] = 0 }
            #expect(SpanFile.decode(torn) == nil)
        }
    }

    @Test func noiseIsRefused() {
        var random = SplitMix64(8)
        for length in [0, 8, 24, 100, 5000] {
            #expect(SpanFile.decode((0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }) == nil)
        }
    }

    /// A count that promises more than there is must not make room for it.
    @Test func lyingCountsAreRefused() {
        var bytes = SpanFile.encode(Self.packets(1))
        for i in 8..<16 { bytes[i] = 0xff }
        #expect(SpanFile.decode(bytes) == nil)
        bytes = SpanFile.encode(Self.packets(1))
        for i in 48..<56 { bytes[i] = 0x7f }
        #expect(SpanFile.decode(bytes) == nil)
    }
}
