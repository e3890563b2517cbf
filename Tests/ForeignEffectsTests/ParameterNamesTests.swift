import Testing

@testable import ForeignEffects

@Suite struct ParameterNamesTests {
    @Test(arguments: [
        ("Brightness", "brightness"), ("Color space", "colorSpace"), ("Threshold level (dB)", "thresholdLevel"),
        ("LFO depth", "lfoDepth"), ("2nd color", "value2ndColor"), ("(dB)", "dB"), ("???", "value"),
    ])
    func wordsBecomeKeys(name: String, key: String) {
        var names = ParameterNames(reserved: [])
        #expect(names.key(for: name) == key)
    }

    @Test func takenKeysGetNumbers() {
        var names = ParameterNames(reserved: ["type", "isolate"])
        #expect(
            ["Type", "type", "Isolate", "Size", "size"].map { names.key(for: $0) } == [
                "type2", "type3", "isolate2", "size", "size2",
            ])
    }

    @Test func unitsStandInBrackets() {
        #expect(ParameterNames.unit(in: "Release time (s)") == "s")
        #expect(ParameterNames.unit(in: "Mode (0 = off, 1 = on)") == nil)
        #expect(ParameterNames.unit(in: "Gain") == nil)
    }
}

@Suite struct PayloadTests {
    @Test func whatIsWrittenIsRead() {
        var writer = PayloadWriter()
        writer.append(-7)
        writer.append(0.1)
        writer.append("é")
        writer.append([1.5, -2])
        var reader = PayloadReader(writer.bytes)
        #expect(reader.integer() == -7 && reader.number() == 0.1 && reader.text() == "é")
        #expect(reader.numbers() == [1.5, -2] && reader.isWhole)
        _ = reader.integer()
        #expect(!reader.isWhole)
    }

    /// Lengths that are lies do no harm.
    @Test(arguments: [Int.max, -1, 1000])
    func lyingLengthsAreFoundOut(length: Int) {
        var writer = PayloadWriter()
        writer.append(length)
        var (text, numbers) = (PayloadReader(writer.bytes), PayloadReader(writer.bytes))
        #expect(text.text().isEmpty && !text.isWhole)
        #expect(numbers.numbers().isEmpty && !numbers.isWhole)
    }
}

@Suite struct SharedPicturesTests {
    /// Slots do not overlap, and each ends where a page ends.
    @Test(arguments: [true, false])
    func slotsLieApart(isShared: Bool) throws {
        let pictures = try SharedPictures(sizes: [64, 4096, 10_000], isShared: isShared)
        for slot in 0..<3 {
            pictures.pointer(slot).initializeMemory(
                as: UInt8.self, repeating: UInt8(slot + 1), count: pictures.sizes[slot])
        }
        for slot in 0..<3 {
            let bytes = UnsafeRawBufferPointer(start: pictures.pointer(slot), count: pictures.sizes[slot])
            #expect(bytes.allSatisfy { $0 == UInt8(slot + 1) })
            #expect((Int(bitPattern: pictures.pointer(slot)) + pictures.sizes[slot]) % SharedPictures.pageSize == 0)
        }
    }

    /// What one side writes the other side reads, at the same place of each slot.
    @Test func bothSidesSeeTheSame() throws {
        let ours = try SharedPictures(sizes: [256, 8192], isShared: true)
        let theirs = try SharedPictures(sizes: [256, 8192], mapping: ours.file)
        ours.pointer(1).storeBytes(of: 0x1234_5678, toByteOffset: 8188, as: UInt32.self)
        theirs.pointer(0).storeBytes(of: 99, toByteOffset: 0, as: UInt8.self)
        #expect(theirs.pointer(1).load(fromByteOffset: 8188, as: UInt32.self) == 0x1234_5678)
        #expect(ours.pointer(0).load(as: UInt8.self) == 99)
    }
}
