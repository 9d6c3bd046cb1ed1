import CFFmpeg

/// Decrypts AES-128 in cipher block chaining mode (NIST SP 800-38A), piece by piece.
///
/// The corresponding C function is `av_aes_crypt`.
@safe package struct AESDecryptor: ~Copyable {
    package static let blockSize = 16

    private let context: OpaquePointer
    private var vector: [UInt8]

    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: `nil` when one of them has another length.
    package init?(key: [UInt8], initializationVector: [UInt8]) {
        guard key.count == Self.blockSize, initializationVector.count == Self.blockSize,
            let context = unsafe av_aes_alloc()
        else { return nil }
        let isDecrypting: Int32 = 1
        guard unsafe av_aes_init(context, key, Int32(key.count * 8), isDecrypting) == 0 else {
            unsafe av_free(UnsafeMutableRawPointer(context))
            return nil
        }
        unsafe self.context = unsafe context
        vector = initializationVector
    }

    deinit { unsafe av_free(UnsafeMutableRawPointer(context)) }

    /// Decrypts what follows the bytes before.
    ///
    /// - Parameter bytes: Whole blocks; what is beyond the last whole one is ignored.
    package mutating func decrypt(_ bytes: [UInt8]) -> [UInt8] {
        let blocks = bytes.count / Self.blockSize
        guard blocks > 0 else { return [] }
        let isDecrypting: Int32 = 1
        return unsafe [UInt8](unsafeUninitializedCapacity: blocks * Self.blockSize) { plain, count in
            unsafe vector.withUnsafeMutableBufferPointer { vector in
                unsafe av_aes_crypt(
                    context, plain.baseAddress, bytes, Int32(blocks), vector.baseAddress, isDecrypting)
            }
            count = blocks * Self.blockSize
        }
    }
}
