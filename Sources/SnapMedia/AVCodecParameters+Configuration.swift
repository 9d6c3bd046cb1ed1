import CFFmpeg

extension AVCodecParameters {
    /// The codec's headers that the container has beside its packets; empty without them.
    var configuration: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: extradata, count: Int(max(extradata_size, 0))))
    }
}
