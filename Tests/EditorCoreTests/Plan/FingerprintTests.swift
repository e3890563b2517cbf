import EditorCore
import Testing

@Suite struct FingerprintTests {
    /// Vectors of draft-eastlake-fnv.
    @Test(
        arguments: [
            ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
            ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
        ])
    func isFNV1aIn128Bits(text: String, digits: String) {
        #expect(Fingerprint(text).description == digits)
    }

    @Test func allDigitsArePrinted() {
        for i in 0..<200 { #expect(Fingerprint("\(i)").description.count == 32) }
    }
}
