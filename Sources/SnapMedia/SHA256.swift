import CFFmpeg

/// The hash of NIST FIPS 180-4: tells texts apart without giving them away.
package enum SHA256 {
    package static let length = 32

    /// The corresponding C functions are `av_sha_init`, `av_sha_update` and `av_sha_final`.
    ///
    /// - Returns: ``length`` bytes; `nil` without memory.
    package static func digest(of bytes: [UInt8]) -> [UInt8]? {
        guard let context = unsafe av_sha_alloc() else { return nil }
        defer { unsafe av_free(UnsafeMutableRawPointer(context)) }
        guard unsafe av_sha_init(context, Int32(length * 8)) == 0 else { return nil }
        unsafe av_sha_update(context, bytes, bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            if let base = buffer.baseAddress { unsafe av_sha_final(context, base) }
            count = length
        }
    }
}
