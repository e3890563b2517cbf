internal import EditorKit

enum Version {
    static let number = "0.1.0"
    static var line: String { "editor \(number) (\(Libraries.versions))" }
}
