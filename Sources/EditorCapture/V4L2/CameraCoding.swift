internal import CCapture

/// What is asked of a camera that codes its pictures as a stream; one that lacks a control is left as it is.
extension CameraDevice {
    /// Before it is started: pictures in the order in which they are taken, and every key picture decodable by itself.
    public func prepareCoding() {
        if control(editor_V4L2_CID_MPEG_VIDEO_B_FRAMES) != nil {
            try? set(editor_V4L2_CID_MPEG_VIDEO_B_FRAMES, to: 0)
        }
        if control(editor_V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER) != nil {
            try? set(editor_V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER, to: 1)
        }
    }

    /// Has one of the next pictures be a key picture. Without the control the next one comes when it comes.
    public func askForKeyPicture() {
        guard control(editor_V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME) != nil else { return }
        try? set(editor_V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME, to: 1)
    }
}
