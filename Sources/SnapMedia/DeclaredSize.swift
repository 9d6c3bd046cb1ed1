import SnapBase

/// How long a file is by its own account, for containers that begin with that: Matroska and AVI.
enum DeclaredSize {
    /// - Returns: In bytes; `nil` where the container doesn't say.
    /// - Throws: ``MediaError/unsupported(_:)`` for Matroska that another file follows, of which libavformat makes frames of
    ///   the first.
    static func size(of reader: ByteReader, _ formatNames: Set<String>) throws(MediaError) -> Int64? {
        if formatNames.contains("matroska") {
            guard let end = try EBMLElement.segment(in: reader)?.end else { return nil }
            if reader.size() ?? 0 > end, try EBMLElement(at: end, in: reader)?.kind == EBMLElement.Kind.header {
                throw .unsupported("it is several videos, one behind the other (in a local file, they are told apart)")
            }
            return end
        }
        return formatNames.contains("avi") ? riffEnd(try reader.read(8, at: 0)) : nil
    }

    /// RIFF: the name, and how many bytes follow; some writers count these eight with them.
    private static func riffEnd(_ head: [UInt8]) -> Int64? {
        guard head.count >= 8, head.starts(with: Array("RIFF".utf8)) else { return nil }
        let size = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        // What is written as it comes says nothing.
        return size == 0 || size == 0xFFFF_FFFF ? nil : size
    }
}
