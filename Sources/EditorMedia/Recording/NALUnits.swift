/// The units of an H.264 byte stream (ITU-T H.264, annex B).
struct NALUnits {
    enum Kind {
        case slice, instantRefresh, sequenceParameters, pictureParameters, other

        /// - Parameter header: the unit's first byte.
        init(header: UInt8) {
            self =
                switch header & 0x1f {
                case 1...4: .slice
                case 5: .instantRefresh
                case 7: .sequenceParameters
                case 8: .pictureParameters
                default: .other
                }
        }
    }

    /// The units with their places, start codes left out.
    let units: [(kind: Kind, range: Range<Int>)]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var starts: [(code: Int, unit: Int)] = []
        var index = 2
        while index < bytes.count {
            // A byte above 1 ends no start code, and none of the two that could follow within it does.
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                starts.append((index - 2, index + 1))
                index += 3
            } else {
                index += 1
            }
        }
        units = starts.indices.compactMap { number in
            let start = starts[number].unit
            var end = number + 1 < starts.count ? starts[number + 1].code : bytes.count
            // Zeros between units belong to neither.
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            return start < end ? (Kind(header: bytes[start]), start..<end) : nil
        }
    }

    /// Whether there is a picture in them, or a part of one.
    var hasPicture: Bool { units.contains { $0.kind == .slice || $0.kind == .instantRefresh } }

    /// The parameter sets with start codes; nil when there are none of both kinds.
    func parameterSets(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        func sets(_ wanted: Kind) -> [UInt8] {
            units.filter { $0.kind == wanted }.flatMap { [0, 0, 0, 1] + bytes[$0.range] }
        }
        let (sequence, picture) = (sets(.sequenceParameters), sets(.pictureParameters))
        return sequence.isEmpty || picture.isEmpty ? nil : sequence + picture
    }
}
