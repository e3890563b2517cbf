internal import CFFmpeg
internal import EditorCore

extension AVChannelLayout {
    /// The layout that so many channels usually have; it owns no memory.
    static func usual(_ count: Int32) -> AVChannelLayout {
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, count)
        return layout
    }

    /// That of the working sound.
    static var working: AVChannelLayout { usual(Int32(AudioFormat.channelCount)) }
}
