import CFFmpeg
import SnapBase

extension Demuxer {
    /// When the video was taken. QuickTime's key holds the time of the camera, of which an edited or exported file's own
    /// creation may be long after.
    private static var dateKeys: [String] { ["com.apple.quicktime.creationdate", "creation_time"] }
    /// QuickTime's key, and the `©xyz` and `loci` of MP4, which libavformat names alike; Matroska's tag.
    private static var locationKeys: [String] { ["com.apple.quicktime.location.iso6709", "location"] }
    /// Longer texts are no dates and no places.
    private static var longestText: Int { 128 }

    /// Dates of the year 1970 and before are those of clocks that were never set.
    func recording() -> RecordingFacts {
        let unset = WallClock(sinceEpoch: MediaTime(seconds: 365 * 86_400))
        return RecordingFacts(
            start: first(Self.dateKeys) { WallClock($0).flatMap { $0 < unset ? nil : $0 } },
            location: first(Self.locationKeys) { GeographicLocation(iso6709: $0) })
    }

    /// The first value of the keys, by their order, that can be read: the container's, or else the stream's.
    private func first<Value>(_ keys: [String], _ read: (String) -> Value?) -> Value? {
        unsafe withContext { context in
            let (all, own) = unsafe (context.pointee.metadata, stream.pointee.metadata)
            for key in keys {
                let texts = unsafe [Self.text(all, key), Self.text(own, key)]
                if let value = texts.compactMap({ $0.flatMap(read) }).first { return value }
            }
            return nil
        }
    }

    /// A tag's value, whatever the case of its key.
    private static func text(_ tags: OpaquePointer?, _ key: String) -> String? {
        guard let entry = unsafe av_dict_get(tags, key, nil, 0), let value = unsafe entry.pointee.value else {
            return nil
        }
        var bytes: [UInt8] = []
        while bytes.count <= longestText, unsafe value[bytes.count] != 0 {
            bytes.append(unsafe UInt8(truncatingIfNeeded: value[bytes.count]))
        }
        return bytes.count > longestText ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
