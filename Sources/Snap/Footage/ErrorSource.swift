import SnapMedia

/// What errors of the layers below need to become ones of the library: which video they are about, and its time limit.
struct ErrorSource: Sendable {
    let name: String
    let timeout: Duration?

    func converting<T: ~Copyable>(_ body: () throws(MediaError) -> T) throws(SnapError) -> T {
        do throws(MediaError) { return try body() } catch {
            throw SnapError(error, source: name, timeout: timeout)
        }
    }

    /// The same for whatever a source of bytes throws.
    func reading<T: ~Copyable>(_ body: () throws -> T) throws(SnapError) -> T {
        do { return try body() } catch let error as MediaError {
            throw SnapError(error, source: name, timeout: timeout)
        } catch {
            throw SnapError(reading: error, source: name, timeout: timeout)
        }
    }
}
