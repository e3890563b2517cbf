public import EditorCore
internal import EditorMedia

/// A piece of `recommendMusicList`, and where it and its cover are.
public struct OfferedMusic: Sendable {
    /// A file that the list names, on this machine or on the web.
    public struct File: Sendable {
        /// As the config names it.
        public var source: String
        public var state: RenderEvent.Download.State
        /// On this machine; nil for what is not here.
        public var path: String?
        /// Why it cannot be had, after an attempt to fetch it.
        public var failure: EditorError?
    }

    public var title: String?
    /// nil when the list names none.
    public var music: File?
    public var cover: File?
}

extension Composition {
    /// What the config offers in `recommendMusicList`, with the state of each piece and its cover.
    /// - Parameter fetches: whether what is on the web and not in the cache is fetched now.
    /// - Throws: `EditorError.cancelled`. What cannot be had is in the list.
    public func offeredMusic(
        fetches: Bool, options: Options = Options(), cancellation: Cancellation = Cancellation()
    ) throws -> [OfferedMusic] {
        let fetching = library.fetching(options.web, cancellation: cancellation) { event in
            if case .download(let download) = event { options.onDownload(download) }
        }
        func look(_ source: String?, _ kind: AssetReference.Kind) throws -> OfferedMusic.File? {
            guard let source else { return nil }
            let asset = AssetReference(path: source, kind: kind)
            var failure: EditorError?
            if fetches {
                do {
                    _ = try fetching.identity(of: asset)
                } catch let error as EditorError {
                    if error.kind == .cancelled { throw error }
                    failure = error
                }
            }
            let path = fetching.fileOnDisk(asset)
            return OfferedMusic.File(source: source, state: state(source, path), path: path, failure: failure)
        }
        func state(_ source: String, _ path: String?) -> RenderEvent.Download.State {
            path != nil ? .local : source.isWebAddress ? .web : .unknown
        }
        return try configuration.recommendMusicList.map { music in
            OfferedMusic(
                title: music.musicTitle, music: try look(music.source, .audio),
                cover: try look(music.musicImageName ?? music.musicImageURL, .image))
        }
    }
}
