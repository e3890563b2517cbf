import Foundation

extension Process {
    /// Runs the program with no signal blocked.
    ///
    /// Tests run on threads that have most signals blocked, and a program inherits what the thread that starts it has
    /// blocked: a shell would wait for its children for ever, and nothing could be ended by SIGTERM.
    func start() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
