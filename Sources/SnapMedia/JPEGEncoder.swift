import CJPEG
package import SnapBase

/// Writes pictures as JFIF files: baseline or progressive, BT.601 full range as JFIF says, density 1:1.
package struct JPEGEncoder: Sendable, Hashable {
    /// The longest side that libjpeg takes.
    package static let longestSide = 65500

    /// 1 to 100; what is outside is moved to the nearer end. Default 85.
    package var quality = 85
    /// Default: ``ChromaSubsampling/automatic``.
    package var subsampling = ChromaSubsampling.automatic
    /// Several scans, coarse to fine. Default `false`: six to nine times the time for 5 to 7 % fewer bytes.
    package var isProgressive = false
    /// Huffman tables made for this picture; the pixels stay the same. Default `false`: more than twice the time for
    /// 3 to 8 % fewer bytes.
    package var optimizesHuffman = false

    package init(
        quality: Int = 85, subsampling: ChromaSubsampling = .automatic, isProgressive: Bool = false,
        optimizesHuffman: Bool = false
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.optimizesHuffman = optimizesHuffman
    }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - picture: Any; JPEG has no alpha, so what is transparent shows `background`.
    ///   - background: Default black.
    ///   - metadata: Goes into the file as EXIF. Default `nil`, for none.
    /// - Throws: ``JPEGError``.
    package func encode(
        _ picture: Picture, over background: RGBColour = .black, metadata: PictureMetadata? = nil
    ) throws(JPEGError) -> [UInt8] {
        let file = try encodePixels(of: picture, over: background)
        guard let block = metadata.flatMap(EXIFBlock.init) else { return file }
        return JPEGSegment(block).inserted(afterHeaderOf: file)
    }

    private func encodePixels(of picture: Picture, over background: RGBColour) throws(JPEGError) -> [UInt8] {
        guard max(picture.width, picture.height) <= Self.longestSide else {
            throw .tooLarge(width: picture.width, height: picture.height)
        }
        let opaque = picture.flattened(onto: background)
        let ratio: Int32 =
            switch subsampling {
            case .automatic: quality < 90 ? 2 : 1
            case .yuv420: 2
            case .yuv444: 1
            }
        var result = unsafe cjpeg_result()
        let status = unsafe opaque.bytes.withUnsafeBufferPointer { pixels in
            var job = unsafe cjpeg_job(
                pixels: pixels.baseAddress, width: Int32(opaque.width), height: Int32(opaque.height),
                bytes_per_row: opaque.bytesPerRow, quality: Int32(min(max(quality, 1), 100)),
                chroma_width_ratio: ratio, chroma_height_ratio: ratio, progressive: isProgressive ? 1 : 0,
                optimized_huffman: optimizesHuffman ? 1 : 0)
            return unsafe cjpeg_encode(&job, &result)
        }
        defer { unsafe cjpeg_free(&result) }
        guard status == 0, let bytes = unsafe result.bytes else {
            let message = unsafe withUnsafeBytes(of: &result.message) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
            throw .libjpeg(String(decoding: message, as: UTF8.self))
        }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: result.count))
    }
}
