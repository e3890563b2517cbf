internal import CSDL
public import EditorCore
internal import Glibc

/// A window that shows working pictures. Belongs to one thread, the process' first.
///
/// SDL is loaded when the first window is made; nobody else pays for it.
public final class PictureWindow {
    private let sdl: editor_sdl
    private let window: OpaquePointer
    private let renderer: OpaquePointer
    private var texture: (handle: OpaquePointer, size: PixelSize, format: PixelFormat)?
    /// Pictures over the window that were uploaded, by identity.
    private var overlays: [ObjectIdentifier: (handle: OpaquePointer, picture: OverlayPicture)] = [:]

    /// A picture over the window, one pixel a pixel.
    public struct Overlay {
        public var picture: OverlayPicture
        /// Where its top left corner stands, in pixels of the window.
        public var x: Int
        public var y: Int

        public init(_ picture: OverlayPicture, x: Int, y: Int) { (self.picture, self.x, self.y) = (picture, x, y) }
    }

    /// A filled rectangle of the window, in its pixels.
    public struct Box {
        public var x: Int
        public var y: Int
        public var size: PixelSize
        public var color: Color

        public init(x: Int, y: Int, size: PixelSize, color: Color) {
            (self.x, self.y, self.size, self.color) = (x, y, size, color)
        }
    }

    /// - Parameters:
    ///   - size: what may be drawn on, in pixels.
    ///   - isResizable: whether the user may change its size.
    /// - Throws: `EditorError` `.unavailable` without SDL or without a display.
    public init(title: String, size: PixelSize, isResizable: Bool = true) throws {
        let sdl = try SDLLibrary.open()
        guard Self.hasDisplay else { throw Self.noDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set") }
        // Pictures come in the size they are shown in, so there is little for a graphics card to do, and one that a
        // processor imitates takes longer than all the rest. The user's own choice goes before.
        _ = sdl.SetHint("SDL_RENDER_DRIVER", "software")
        _ = sdl.SetHint("SDL_FRAMEBUFFER_ACCELERATION", "0")
        _ = sdl.SetHint("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0")
        // Where these two fail, SDL would draw on a screen that nobody sees. Without a name for it, Wayland's library
        // writes to standard error that it finds no display, which is where events for other programs go.
        if !Self.isSet("SDL_VIDEODRIVER") {
            setenv("SDL_VIDEODRIVER", Self.isSet("WAYLAND_DISPLAY") ? "wayland,x11" : "x11", 1)
        }
        guard sdl.InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw Self.noDisplay(sdl.reason) }
        editor_outlive_x_errors()
        let flags = SDL_WINDOW_ALLOW_HIGHDPI.rawValue | (isResizable ? SDL_WINDOW_RESIZABLE.rawValue : 0)
        let place = editor_SDL_WINDOWPOS_CENTERED
        guard let window = sdl.CreateWindow(title, place, place, Int32(size.width), Int32(size.height), flags) else {
            defer { sdl.QuitSubSystem(SDL_INIT_VIDEO) }
            throw EditorError(.unavailable, "the window cannot be opened: \(sdl.reason)")
        }
        guard
            let renderer = sdl.CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
                ?? sdl.CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
        else {
            defer {
                sdl.DestroyWindow(window)
                sdl.QuitSubSystem(SDL_INIT_VIDEO)
            }
            throw EditorError(.unavailable, "the window cannot be drawn on: \(sdl.reason)")
        }
        self.sdl = sdl
        self.window = window
        self.renderer = renderer
        // The working picture's colours.
        sdl.SetYUVConversionMode(SDL_YUV_CONVERSION_BT709)
    }

    deinit {
        for overlay in overlays.values { sdl.DestroyTexture(overlay.handle) }
        if let texture { sdl.DestroyTexture(texture.handle) }
        sdl.DestroyRenderer(renderer)
        sdl.DestroyWindow(window)
        sdl.QuitSubSystem(SDL_INIT_VIDEO)
    }

    /// Whether there is a display to open windows on. SDL itself would take a screen of its own invention.
    public static var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"].contains(where: isSet)
    }

    /// Whether a variable of the environment says something.
    private static func isSet(_ variable: String) -> Bool {
        getenv(variable).map { $0.pointee != 0 } ?? false
    }

    private static func noDisplay(_ reason: String) -> EditorError {
        EditorError(
            .unavailable, "there is no display to open a window on (\(reason)); run it in a desktop session")
    }

    public func setTitle(_ title: String) { sdl.SetWindowTitle(window, title) }

    /// What can be drawn on, in pixels.
    public var size: PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        _ = sdl.GetRendererOutputSize(renderer, &width, &height)
        return PixelSize(width: max(1, Int(width)), height: max(1, Int(height)))
    }

    /// Size of the screen, in pixels; nil when it cannot be told.
    public var screenSize: PixelSize? {
        var mode = SDL_DisplayMode()
        guard sdl.GetDesktopDisplayMode(0, &mode) == 0 else { return nil }
        return PixelSize(width: Int(mode.w), height: Int(mode.h))
    }

    /// A size to open a window with: that of what it shows, or what goes on a small screen, and never so narrow that
    /// words under the picture are cut off.
    /// - Parameters:
    ///   - shape: what is shown.
    ///   - rows: the fewest there are for the picture.
    ///   - below: rows that are kept free at the lower edge.
    public static func firstSize(for shape: PixelSize, atLeast rows: Int, below: Int) -> PixelSize {
        let scale = min(1, 1120 / Double(shape.width), 760 / Double(shape.height))
        return PixelSize(
            width: max(420, Int(Double(shape.width) * scale)),
            height: max(rows, Int(Double(shape.height) * scale)) + below)
    }

    /// The largest place for a picture of a shape in the middle of the window, even and with nothing cut off.
    /// - Parameter below: rows that are kept free at the lower edge.
    public func place(for shape: PixelSize, below: Int = 0) -> (x: Int, y: Int, size: PixelSize) {
        let whole = size
        let room = PixelSize(width: whole.width, height: max(2, whole.height - below))
        let scale = min(
            Double(room.width) / Double(shape.width), Double(room.height) / Double(shape.height))
        func even(_ length: Double) -> Int { max(2, Int(length / 2) * 2) }
        let fitted = PixelSize(width: even(Double(shape.width) * scale), height: even(Double(shape.height) * scale))
        return ((room.width - fitted.width) / 2, (room.height - fitted.height) / 2, fitted)
    }

    /// Shows a picture, and boxes and pictures over it, on black. Returns when it was handed to the screen, which may wait for
    /// the screen's next picture.
    /// - Parameter frame: drawn at `place`, scaled if it has another size; nil is black. `yuv420` is quickest, its colours
    ///   are as fine as their half resolution; `rgba` is shown as it is, opaque.
    public func show(
        _ frame: VideoFrame?, at place: (x: Int, y: Int, size: PixelSize), boxes: [Box] = [],
        overlays shown: [Overlay] = []
    ) {
        _ = sdl.SetRenderDrawColor(renderer, 0, 0, 0, 255)
        _ = sdl.RenderClear(renderer)
        if let frame, let texture = upload(frame) {
            var target = SDL_Rect(
                x: Int32(place.x), y: Int32(place.y), w: Int32(place.size.width), h: Int32(place.size.height))
            _ = sdl.RenderCopy(renderer, texture, nil, &target)
        }
        for box in boxes {
            _ = sdl.SetRenderDrawColor(renderer, box.color.red, box.color.green, box.color.blue, 255)
            var target = SDL_Rect(
                x: Int32(box.x), y: Int32(box.y), w: Int32(box.size.width), h: Int32(box.size.height))
            _ = sdl.RenderFillRect(renderer, &target)
        }
        for overlay in shown {
            guard let handle = upload(overlay.picture) else { continue }
            var target = SDL_Rect(
                x: Int32(overlay.x), y: Int32(overlay.y), w: Int32(overlay.picture.width),
                h: Int32(overlay.picture.height))
            _ = sdl.RenderCopy(renderer, handle, nil, &target)
        }
        sdl.RenderPresent(renderer)
        // What is no longer shown goes, once there is a little more of it than a line of text needs.
        guard overlays.count > 128 else { return }
        let used = Set(shown.map { ObjectIdentifier($0.picture) })
        for (key, overlay) in overlays where !used.contains(key) {
            sdl.DestroyTexture(overlay.handle)
            overlays[key] = nil
        }
    }

    private func upload(_ frame: VideoFrame) -> OpaquePointer? {
        precondition(frame.format != .yuva420, "a window shows opaque pictures")
        if texture?.size != frame.size || texture?.format != frame.format {
            if let texture { sdl.DestroyTexture(texture.handle) }
            texture = nil
            let access = Int32(SDL_TEXTUREACCESS_STREAMING.rawValue)
            let format = frame.format == .rgba ? editor_SDL_PIXELFORMAT_RGBA32 : editor_SDL_PIXELFORMAT_IYUV
            guard let made = sdl.CreateTexture(renderer, format, access, Int32(frame.width), Int32(frame.height))
            else { return nil }
            _ = sdl.SetTextureScaleMode(made, SDL_ScaleModeLinear)
            _ = sdl.SetTextureBlendMode(made, SDL_BLENDMODE_NONE)
            texture = (made, frame.size, frame.format)
        }
        if frame.format == .rgba {
            guard let texture else { return nil }
            frame.withPlane(0) { pixels, layout in
                pixels.withUnsafeBufferPointer {
                    _ = sdl.UpdateTexture(texture.handle, nil, $0.baseAddress, Int32(layout.stride))
                }
            }
            return texture.handle
        }
        guard let texture else { return nil }
        frame.withPlane(0) { y, luma in
            frame.withPlane(1) { u, chroma in
                frame.withPlane(2) { v, _ in
                    y.withUnsafeBufferPointer { y in
                        u.withUnsafeBufferPointer { u in
                            v.withUnsafeBufferPointer { v in
                                _ = sdl.UpdateYUVTexture(
                                    texture.handle, nil, y.baseAddress, Int32(luma.stride), u.baseAddress,
                                    Int32(chroma.stride), v.baseAddress, Int32(chroma.stride))
                            }
                        }
                    }
                }
            }
        }
        return texture.handle
    }

    private func upload(_ picture: OverlayPicture) -> OpaquePointer? {
        if let known = overlays[ObjectIdentifier(picture)] { return known.handle }
        let access = Int32(SDL_TEXTUREACCESS_STATIC.rawValue)
        guard
            let handle = sdl.CreateTexture(
                renderer, editor_SDL_PIXELFORMAT_RGBA32, access, Int32(picture.width), Int32(picture.height))
        else { return nil }
        _ = picture.pixels.withUnsafeBytes { sdl.UpdateTexture(handle, nil, $0.baseAddress, Int32(picture.width * 4)) }
        // Premultiplied over: the sum of the picture and what its alpha leaves of the ground. A renderer that cannot
        // do that darkens the edges a little.
        let over = sdl.ComposeCustomBlendMode(
            SDL_BLENDFACTOR_ONE, SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD, SDL_BLENDFACTOR_ONE,
            SDL_BLENDFACTOR_ONE_MINUS_SRC_ALPHA, SDL_BLENDOPERATION_ADD)
        if sdl.SetTextureBlendMode(handle, over) != 0 { _ = sdl.SetTextureBlendMode(handle, SDL_BLENDMODE_BLEND) }
        overlays[ObjectIdentifier(picture)] = (handle, picture)
        return handle
    }

    /// What happened since the last call; waits for something to happen if nothing did.
    /// - Parameter seconds: the longest wait.
    public func events(waiting seconds: Double) -> [WindowEvent] {
        var found: [WindowEvent] = []
        var event = SDL_Event()
        let milliseconds = Int32(max(0, min(seconds, 10)) * 1000)
        var has = milliseconds > 0 ? sdl.WaitEventTimeout(&event, milliseconds) : sdl.PollEvent(&event)
        while has != 0 {
            if let known = WindowEvent(event), known == .closed || found.last != known || known.isKey {
                found.append(known)
            }
            has = sdl.PollEvent(&event)
        }
        return found
    }
}

extension WindowEvent {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }

    fileprivate init?(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: self = .closed
        case SDL_KEYDOWN:
            guard let key = WindowKey(event.key.keysym.sym) else { return nil }
            self = .key(
                key, isShifted: event.key.keysym.mod & UInt16(KMOD_SHIFT.rawValue) != 0,
                isRepeated: event.key.repeat != 0)
        case SDL_WINDOWEVENT:
            switch SDL_WindowEventID(UInt32(event.window.event)) {
            case SDL_WINDOWEVENT_SIZE_CHANGED: self = .resized
            case SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED: self = .exposed
            case SDL_WINDOWEVENT_CLOSE: self = .closed
            default: return nil
            }
        default: return nil
        }
    }
}

extension WindowKey {
    fileprivate init?(_ code: SDL_Keycode) {
        switch SDL_KeyCode(UInt32(bitPattern: code)) {
        case SDLK_LEFT: self = .left
        case SDLK_RIGHT: self = .right
        case SDLK_UP: self = .up
        case SDLK_DOWN: self = .down
        case SDLK_HOME: self = .home
        case SDLK_END: self = .end
        case SDLK_SPACE: self = .space
        case SDLK_ESCAPE: self = .escape
        case SDLK_RETURN, SDLK_KP_ENTER: self = .enter
        case SDLK_KP_PLUS: self = .character("+")
        case SDLK_KP_MINUS: self = .character("-")
        default:
            // The codes of keys that write something are what they write.
            guard (33..<0x11_0000).contains(code), let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
            self = .character(Character(scalar))
        }
    }
}
