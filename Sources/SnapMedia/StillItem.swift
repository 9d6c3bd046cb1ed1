/// A picture as an item of a file without tracks, as AVIF has it (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.5), of whose
/// properties libavformat passes on none.
enum StillItem {
    /// The properties that change what is shown, in words.
    private static let changes = ["irot": "turned", "imir": "mirrored", "clap": "cropped"]

    /// Whether the file has alpha as an item of its own.
    ///
    /// - Throws: ``MediaError/unsupported(_:)`` where its pictures are turned, mirrored or cropped.
    static func hasAlpha(in reader: ByteReader) throws(MediaError) -> Bool {
        var budget = Box.mostBoxes
        let file = Box(content: 0..<(reader.size() ?? .max))
        // Version and flags come before the boxes.
        guard let items = try file.child("meta", reader, &budget)?.skipping(4),
            let properties = try items.child("iprp", reader, &budget)?.child("ipco", reader, &budget)
        else { return false }
        let types = try properties.children(reader, &budget).map(\.type)
        let applied = types.compactMap { changes[$0] }
        if !applied.isEmpty {
            let what = applied.joined(separator: " and ")
            throw .unsupported("a still picture that is to be \(what) by what its file says, which snap doesn't do yet")
        }
        return types.contains("auxC")
    }
}
