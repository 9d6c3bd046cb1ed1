public import SnapBase
import SnapMedia

/// A picture of a moment, with its receipt.
public struct Snapshot: Sendable {
    /// Upright, square pixels; 8-bit sRGB, but for HDR that is kept.
    public let picture: Picture
    public let receipt: Receipt
    /// What an encoded picture says of its making; `nil` unless ``SnapshotOptions/writesMetadata`` asks for it.
    public var metadata: PictureMetadata? { receipt.picture?.metadata }
    /// Behind what is transparent, in formats without alpha.
    let background: RGBColour

    /// Encodes the picture. Takes some milliseconds of computing on the calling thread.
    ///
    /// - Parameter format: Default ``ImageFormat/jpeg``.
    /// - Throws: ``SnapError`` when the format can't hold the picture: JPEG ends at 65,500 pixels a side, and holds no
    ///   HDR that is kept.
    public func encoded(as format: ImageFormat = .jpeg) throws(SnapError) -> [UInt8] {
        switch format {
        case .jpeg(let options):
            guard picture.bitsPerChannel == 8 else {
                throw SnapError(
                    .usage, source: receipt.source, "JPEG can't hold HDR that is kept as it is; write a PNG")
            }
            let encoder = JPEGEncoder(
                quality: options.quality, subsampling: options.subsampling, isProgressive: options.isProgressive,
                optimizesHuffman: options.optimizesHuffman)
            do throws(JPEGError) {
                return try encoder.encode(picture, over: background, metadata: metadata)
            } catch {
                let isTooLarge = if case .tooLarge = error { true } else { false }
                throw SnapError(isTooLarge ? .tooLarge : .internal, source: receipt.source, "no JPEG: \(error)")
            }
        case .png:
            do throws(FFmpegError) {
                return try PNGEncoder().encode(picture, metadata: metadata)
            } catch {
                throw SnapError(.internal, source: receipt.source, "no PNG: \(error)")
            }
        }
    }

    /// Encodes the picture and writes it to a file, which appears whole or not at all.
    ///
    /// Encoding and writing block; they are done on a thread of the library's own.
    ///
    /// - Parameters:
    ///   - path: A file there is replaced; missing folders are made.
    ///   - format: `nil` for what the extension says (`.png`, else JPEG).
    /// - Returns: The receipt, with path, format and size.
    /// - Throws: ``SnapError``.
    @discardableResult
    public func write(to path: String, as format: ImageFormat? = nil) async throws(SnapError) -> Receipt {
        let format = format ?? (path.lowercased().hasSuffix(".png") ? .png : .jpeg)
        let result = await BlockingQueue().result { () -> Result<Receipt, SnapError> in
            Result { () throws(SnapError) in
                let bytes = try encoded(as: format)
                try OutputFile.write(bytes, to: path)
                return receipt(for: bytes.count, format: format, output: path)
            }
        }
        return try result.get()
    }

    /// The same to a path that need not be UTF-8.
    ///
    /// - Parameters:
    ///   - pathBytes: Without a zero at the end.
    ///   - format: `nil` for what the extension says (`.png`, else JPEG).
    /// - Returns: The receipt, with path, format and size.
    /// - Throws: ``SnapError``.
    @discardableResult
    public func write(toPathBytes pathBytes: [UInt8], as format: ImageFormat? = nil) async throws(SnapError) -> Receipt
    {
        try await write(to: String(pathBytes: pathBytes), as: format)
    }

    /// The receipt for an encoded picture.
    package func receipt(for byteCount: Int, format: ImageFormat, output: String?) -> Receipt {
        var receipt = receipt
        receipt.output = output
        receipt.picture?.format = format.fileExtension
        receipt.picture?.byteCount = byteCount
        return receipt
    }
}
