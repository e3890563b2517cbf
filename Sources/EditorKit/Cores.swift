internal import Glibc

/// The processor's cores.
enum Cores {
    /// Those that are on, at least 1: what is worked with at a time unless somebody says otherwise.
    static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
