/// A marker segment of a JPEG file (ITU-T T.81, B.1.1.4).
struct JPEGSegment {
    private let bytes: [UInt8]

    /// `APP1` with EXIF (CIPA DC-008, 4.7.2): a few hundred bytes of 65,533 that would do.
    init(_ block: EXIFBlock) {
        let content = Array("Exif\0\0".utf8) + block.bytes
        bytes = [0xFF, 0xE1] + BigEndian.half(UInt16(clamping: content.count + 2)) + content
    }

    /// The start of image is 2 bytes long, and the JFIF header behind it, as libjpeg writes it, 18.
    func inserted(afterHeaderOf file: [UInt8]) -> [UInt8] { file.prefix(20) + bytes + file.dropFirst(20) }
}
