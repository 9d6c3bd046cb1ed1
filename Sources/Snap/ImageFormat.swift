public import SnapBase

/// How a picture is encoded.
public enum ImageFormat: Sendable, Hashable {
    case jpeg(JPEGOptions)
    /// Lossless: the same pixels. Alpha is kept where the video has it.
    case png

    /// JPEG with everything by default.
    public static let jpeg = ImageFormat.jpeg(JPEGOptions())

    /// `jpg` or `png`: the extension of files, and the name in receipts.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }

    /// How JPEGs are written, by libjpeg-turbo: JFIF with density 1:1.
    public struct JPEGOptions: Sendable, Hashable {
        /// 1 to 100. Default 85.
        public var quality = 85
        /// Default ``ChromaSubsampling/automatic``.
        public var subsampling = ChromaSubsampling.automatic
        /// Several scans, coarse to fine. Default false.
        public var isProgressive = false
        /// Huffman tables made for the picture: the same pixels in fewer bytes. Default true.
        public var optimizesHuffman = true

        public init() {}
    }
}
