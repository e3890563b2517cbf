internal import CFFmpeg

/// A dictionary of libav options; owns it.
final class OptionDictionary {
    var pointer: OpaquePointer?

    init(_ options: [(String, String)] = []) {
        for (key, value) in options { setMetadata(&pointer, key, value) }
    }

    deinit { av_dict_free(&pointer) }

    /// Keys that the call did not take.
    var leftKeys: [String] {
        var keys: [String] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(pointer, "", entry, AV_DICT_IGNORE_SUFFIX) {
            keys.append(String(cString: next.pointee.key))
            entry = next
        }
        return keys
    }
}

/// A value from a dictionary of metadata.
func metadata(_ dictionary: OpaquePointer?, _ key: String) -> String? {
    av_dict_get(dictionary, key, nil, 0).map { String(cString: $0.pointee.value) }
}

/// Sets a value in a dictionary of metadata.
func setMetadata(_ dictionary: inout OpaquePointer?, _ key: String, _ value: String) {
    av_dict_set(&dictionary, key, value, 0)
}
