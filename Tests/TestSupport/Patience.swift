import Foundation

/// How much longer than usual things may take: a program under a sanitizer is several times slower.
public enum Patience {
    /// 1, or what `SNAP_TEST_PATIENCE` says.
    public static let factor: Int = {
        let value = ProcessInfo.processInfo.environment["SNAP_TEST_PATIENCE"].flatMap { Int($0) }
        return max(value ?? 1, 1)
    }()

    public static func atMost(_ duration: Duration) -> Duration { duration * factor }
}
