import SnapBase

/// The tags of multivariant playlists.
extension PlaylistParser {
    /// Returns whether it was one of them.
    mutating func takeMultivariant(
        _ tag: String, _ value: ArraySlice<UInt8>, _ line: Int
    ) throws(PlaylistError) -> Bool {
        switch tag {
        case "EXT-X-STREAM-INF":
            try checkCount(multivariant.variants.count, line)
            pendingVariant = variant(try attributes(value, line), uri: "", line)
        case "EXT-X-I-FRAME-STREAM-INF":
            try checkCount(multivariant.iFrameVariants.count, line)
            let attributes = try attributes(value, line)
            let uri = try checked(try attributes.required("URI", of: tag), line)
            multivariant.iFrameVariants.append(variant(attributes, uri: uri, line))
        case "EXT-X-MEDIA":
            try checkCount(multivariant.renditions.count, line)
            let attributes = try attributes(value, line)
            var address: String?
            if let reference = attributes["URI"], !reference.isEmpty { address = try checked(reference, line) }
            multivariant.renditions.append(
                AlternativeRendition(
                    kind: try attributes.required("TYPE", of: tag), group: attributes["GROUP-ID"] ?? "", uri: address,
                    isDefault: attributes.isYes("DEFAULT")))
        case "EXT-X-SESSION-KEY":
            let attributes = try attributes(value, line)
            let method = try attributes.required("METHOD", of: tag)
            if method != "NONE", multivariant.sessionKeys.count < 16 {
                multivariant.sessionKeys.append(try key(method, attributes, line))
            }
        case "EXT-X-SESSION-DATA", "EXT-X-CONTENT-STEERING": break
        default: return false
        }
        return true
    }

    private func checkCount(_ count: Int, _ line: Int) throws(PlaylistError) {
        guard count < context.limits.variants else {
            throw PlaylistError(.tooLarge, line: line, "more than \(context.limits.variants) variants or renditions")
        }
    }

    private func variant(_ attributes: AttributeList, uri: String, _ line: Int) -> Variant {
        let size = attributes.size("RESOLUTION")
        let codecs = (attributes["CODECS"] ?? "").split(separator: ",").map { String($0).trimmed }
        return Variant(
            uri: uri, bandwidth: attributes.integer("BANDWIDTH"),
            averageBandwidth: attributes.integer("AVERAGE-BANDWIDTH"), codecs: codecs.filter { !$0.isEmpty },
            width: size?.width, height: size?.height, frameRate: attributes.seconds("FRAME-RATE"),
            videoRange: attributes["VIDEO-RANGE"], videoGroup: attributes["VIDEO"], audioGroup: attributes["AUDIO"],
            line: line)
    }
}
