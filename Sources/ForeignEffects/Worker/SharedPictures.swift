internal import CForeign
internal import EditorCore
internal import Glibc

/// Memory for pictures or sound that a plugin reads and writes: a few slots of fixed sizes, in this process alone or
/// shared with a worker.
///
/// A slot ends where a page ends. In a worker the page behind is out of bounds, so that writing past the end stops the
/// worker at once; the editor's memory is never in reach.
final class SharedPictures {
    /// Bytes of each slot.
    let sizes: [Int]
    /// The shared memory's descriptor; -1 in the process alone, and in the worker.
    let file: Int32
    private let base: UnsafeMutableRawPointer
    private let length: Int
    private let starts: [Int]

    static let pageSize = max(4096, Int(sysconf(Int32(_SC_PAGESIZE))))

    private static func pages(_ size: Int) -> Int { (size + pageSize - 1) / pageSize * pageSize }

    /// Bytes of the file behind slots of some sizes.
    static func fileSize(_ sizes: [Int]) -> Int { sizes.reduce(0) { $0 + pages($1) } }

    /// Fresh memory, all zero.
    /// - Throws: `EditorError` `.ioFailed` when there is none.
    init(sizes: [Int], isShared: Bool) throws {
        self.sizes = sizes
        length = max(Self.pageSize, Self.fileSize(sizes))
        var position = 0
        starts = sizes.map { size in
            position += Self.pages(size)
            return position - size
        }
        var file: Int32 = -1
        if isShared {
            file = editor_memory_file("editor-effect")
            guard file >= 0, ftruncate(file, off_t(length)) == 0, editor_seal_size(file) == 0 else {
                if file >= 0 { close(file) }
                throw Self.noMemory(length)
            }
        }
        let flags = isShared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, flags, file, 0), memory != MAP_FAILED else {
            if file >= 0 { close(file) }
            throw Self.noMemory(length)
        }
        self.file = file
        base = memory
    }

    /// The worker's view of the editor's memory, each slot with a page out of bounds before and behind it.
    /// - Parameter file: stays the caller's.
    init(sizes: [Int], mapping file: Int32) throws {
        self.sizes = sizes
        self.file = -1
        length = Self.fileSize(sizes) + (sizes.count + 1) * Self.pageSize
        guard let memory = mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED else {
            throw Self.noMemory(length)
        }
        base = memory
        var (position, offset) = (Self.pageSize, 0)
        var starts: [Int] = []
        for size in sizes {
            let pages = Self.pages(size)
            let mapped = mmap(
                memory + position, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, off_t(offset))
            guard mapped != MAP_FAILED else { throw Self.noMemory(pages) }
            starts.append(position + pages - size)
            position += pages + Self.pageSize
            offset += pages
        }
        self.starts = starts
    }

    deinit {
        munmap(base, length)
        if file >= 0 { close(file) }
    }

    /// The first byte of a slot; valid as long as this object.
    func pointer(_ slot: Int) -> UnsafeMutableRawPointer { base + starts[slot] }

    func clear(_ slot: Int) { memset(pointer(slot), 0, sizes[slot]) }

    private static func noMemory(_ bytes: Int) -> EditorError {
        EditorError(
            .ioFailed,
            "\(bytes >> 20) MiB of memory for an effect cannot be had: \(String(cString: strerror(errno)))")
    }
}
