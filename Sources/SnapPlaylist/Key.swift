/// How segments are encrypted (EXT-X-KEY, EXT-X-SESSION-KEY).
package struct Key: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        case aes128
        /// SAMPLE-AES and its kin, by their names.
        case other(String)
    }

    package internal(set) var method: Method
    package internal(set) var uri: String?
    /// 16 bytes; `nil` where the segment's number takes its place.
    package internal(set) var initializationVector: [UInt8]?
    /// In lower case; `identity` where none is given.
    package internal(set) var format: String

    /// Whether the URI leads to the key itself, for everybody who is let in.
    package var isIdentity: Bool { format == "identity" }
}

extension [Key] {
    /// Whose protection it is, in words: the system where the key format is known.
    package var protectionName: String {
        let names = map { key in
            let method = if case .other(let name) = key.method { name } else { "AES-128" }
            return key.isIdentity ? method : "\(Key.systems[key.format] ?? key.format), \(method)"
        }
        var unique: [String] = []
        for name in names where !unique.contains(name) { unique.append(name) }
        return unique.joined(separator: "; ")
    }
}

extension Key {
    /// Protection systems by key format; UUIDs as the DASH Industry Forum lists them.
    fileprivate static let systems = [
        "com.apple.streamingkeydelivery": "FairPlay",
        "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": "Widevine",
        "com.widevine": "Widevine",
        "com.microsoft.playready": "PlayReady",
        "urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95": "PlayReady",
        "urn:uuid:1077efec-c0b2-4d02-ace3-3c1e52e2fb4b": "Common PSSH",
        "org.w3.clearkey": "ClearKey",
        "urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e": "ClearKey",
    ]
}
