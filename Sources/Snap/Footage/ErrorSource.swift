import SnapBase
import SnapMedia

/// What errors of the layers below need to become ones of the library: which video they are about, its time limit, and what
/// was waited for.
struct ErrorSource: Sendable {
    let name: String
    let timeout: Duration?
    let interrupt: Interrupt

    func converting<T: ~Copyable>(_ body: () throws(MediaError) -> T) throws(SnapError) -> T {
        do throws(MediaError) { return try body() } catch {
            throw SnapError(error, of: self)
        }
    }

    /// The same for whatever a source of bytes throws.
    func reading<T: ~Copyable>(_ body: () throws -> T) throws(SnapError) -> T {
        do { return try body() } catch let error as MediaError {
            throw SnapError(error, of: self)
        } catch {
            throw SnapError(reading: error, of: self)
        }
    }
}
