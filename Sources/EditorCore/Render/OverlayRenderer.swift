/// Draws overlays onto frames of one canvas.
///
/// A picture is converted once, and drawn once for each place it rests at; an overlay that rests costs its blend alone.
/// Both are kept in bounded caches, least recently used out first. What moves is drawn into the same memory again and
/// again: it would only push the others out of the caches. One renderer serves one thread.
package final class OverlayRenderer {
    private let canvas: PixelSize
    private var pyramids: RecentCache<PictureKey, PicturePyramid>
    private var stamps: RecentCache<StampKey, OverlayStamp>
    /// The stamp that left the cache last; the next one takes its memory.
    private var spare: OverlayStamp?
    /// Places that something of that size stood at lately: what comes back to one rests.
    private var places: RecentCache<PlaceKey, Void>
    /// The stamp of what moves.
    private var passing: OverlayStamp?
    private var scratch: [UInt8] = []

    private struct PictureKey: Hashable {
        let picture: ObjectIdentifier
        let colors: PicturePyramid.Colors
    }

    private struct StampKey: Hashable {
        let picture: PictureKey
        let placement: StampPlacement
    }

    private struct PlaceKey: Hashable {
        let size: PixelSize
        let placement: StampPlacement
    }

    /// - Parameters:
    ///   - canvas: the size of every frame.
    ///   - cacheBytes: what pictures and what drawn overlays may each occupy between frames. The one in use is always
    ///     kept.
    package init(canvas: PixelSize, cacheBytes: Int = 64 << 20) {
        self.canvas = canvas
        pyramids = RecentCache(capacity: cacheBytes)
        stamps = RecentCache(capacity: cacheBytes)
        places = RecentCache(capacity: 256)
    }

    /// Blends the rectangle that the overlay covers; the rest of the frame keeps its bytes.
    ///
    /// Nothing is drawn for a scale of 0 or a number that is not finite.
    /// - Parameter frame: `.yuv420`, or `.yuva420` with straight alpha, which becomes `a' = a + da·(1 − a)`; of the
    ///   canvas' size.
    package func draw(_ overlay: Overlay, onto frame: inout VideoFrame) {
        precondition(
            frame.format != .rgba && frame.size == canvas, "overlays go onto planar frames of the canvas' size")
        guard overlay.opacity > 0, let placement = StampPlacement(overlay) else { return }
        let opacity = min(overlay.opacity, 1)
        let isNormal = overlay.blendMode == .normal && frame.format == .yuv420
        if isNormal, opacity * 255 < 0.5 { return }
        guard let stamp = stamp(of: overlay.picture, placement, isNormal ? .yuv : .rgb) else { return }
        frame.makeWritable()
        if isNormal {
            blend(stamp, onto: frame, opacity: UInt8((opacity * 255).rounded()))
        } else {
            ColorBlend(stamp: stamp, opacity: Float(opacity), mode: overlay.blendMode)
                .draw(onto: frame, scratch: &scratch)
        }
    }

    private func stamp(
        of picture: OverlayPicture, _ placement: StampPlacement, _ colors: PicturePyramid.Colors
    ) -> OverlayStamp? {
        let pictureKey = PictureKey(picture: ObjectIdentifier(picture), colors: colors)
        let key = StampKey(picture: pictureKey, placement: placement)
        if let stamp = stamps.value(for: key) { return stamp }
        let place = PlaceKey(size: PixelSize(width: picture.width, height: picture.height), placement: placement)
        let isResting = places.value(for: place) != nil
        if !isResting { places.insert((), for: place, bytes: 1) }
        let pyramid = pyramids.value(for: pictureKey) ?? PicturePyramid(picture, colors: colors)
        let stamp = OverlayStamp.draw(
            pyramid, placement, colors: colors, canvas: canvas, reusing: isResting ? spare : passing,
            isPassing: !isResting)
        if isResting {
            spare = nil
            if let stamp { spare = stamps.insert(stamp, for: key, bytes: stamp.byteCount) }
        } else if let stamp {
            passing = stamp
        }
        // Drawing may have added levels.
        pyramids.insert(pyramid, for: pictureKey, bytes: pyramid.byteCount)
        return stamp
    }

    private func blend(_ stamp: OverlayStamp, onto frame: VideoFrame, opacity: UInt8) {
        let planes = frame.planes
        for row in 0..<stamp.luma.height {
            let span = stamp.lumaSpan(row)
            let from = row * stamp.luma.width + span.lowerBound
            AlphaBlend.premultipliedRow(
                planes[0].base + (stamp.luma.y0 + row) * planes[0].stride + stamp.luma.x0 + span.lowerBound,
                stamp.y + from, stamp.alpha + from, count: span.count, opacity: opacity)
        }
        for row in 0..<stamp.chroma.height {
            let span = stamp.chromaSpan(row)
            let from = row * stamp.chroma.width + span.lowerBound
            for index in 1...2 {
                let plane = planes[index]
                AlphaBlend.premultipliedRow(
                    plane.base + (stamp.chroma.y0 + row) * plane.stride + stamp.chroma.x0 + span.lowerBound,
                    (index == 1 ? stamp.u : stamp.v) + from, stamp.chromaAlpha + from, count: span.count,
                    opacity: opacity)
            }
        }
    }
}
