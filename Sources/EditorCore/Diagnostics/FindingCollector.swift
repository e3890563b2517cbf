internal import Synchronization

/// Collects findings from any thread, each once.
package final class FindingCollector: Sendable {
    private let collected = Mutex<[Finding]>([])

    package init() {}

    /// Returns whether the finding is new.
    @discardableResult
    package func add(_ finding: Finding) -> Bool {
        collected.withLock { findings in
            if findings.contains(finding) { return false }
            findings.append(finding)
            return true
        }
    }

    package var findings: [Finding] { collected.withLock { $0 } }
}
