internal import EditorCore
internal import EditorMedia

/// What a camera's thread made of one picture; one of the two is there.
struct CapturedPicture: Sendable {
    /// The working picture: cropped, mirrored and of the session's size. nil when nobody asked for it, or while the
    /// decoder waits for a key picture.
    var frame: VideoFrame?
    /// The picture as the camera coded it, where that can be recorded as it is.
    var coded: CodedPicture?
}
