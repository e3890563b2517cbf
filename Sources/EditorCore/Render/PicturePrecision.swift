/// Which picture of a file is given for a time.
public enum PicturePrecision: String, Sendable, CaseIterable {
    /// The one that is shown then.
    case exact
    /// The key frame nearest to it, which decodes by itself.
    case nearestKeyFrame
}
