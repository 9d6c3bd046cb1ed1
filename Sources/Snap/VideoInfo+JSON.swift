import SnapBase

extension VideoInfo {
    /// One object on one line (RFC 8259). Times are seconds as decimal strings; unknown is `null`.
    public var json: String {
        JSONValue.object(JSONValue.path("source", source) + facts).text
    }

    /// All but the path.
    private var facts: [(key: String, value: JSONValue)] {
        [
            ("container", .string(containerNames)),
            ("bytes", JSONValue(byteCount)),
            ("length", .string(length.decimalSeconds)),
            ("start", start.jsonValue),
            ("codec", .string(codec)),
            ("profile", JSONValue(profile)),
            ("pixelFormat", JSONValue(pixelFormat)),
            ("codedWidth", JSONValue(codedWidth)),
            ("codedHeight", JSONValue(codedHeight)),
            ("width", JSONValue(width)),
            ("height", JSONValue(height)),
            ("rotation", JSONValue(rotation)),
            ("mirrored", .bool(isMirrored)),
            ("sampleAspectRatio", .string(sampleAspectRatio)),
            ("interlaced", .bool(isInterlaced)),
            ("frameRate", JSONValue(frameRate?.decimalSeconds)),
            ("variableFrameRate", .bool(hasVariableFrameRate)),
            (
                "keyframeDistance",
                keyDistance.map {
                    .object([
                        ("min", .string($0.lowerBound.decimalSeconds)), ("max", .string($0.upperBound.decimalSeconds)),
                    ])
                } ?? .null
            ),
            ("edits", JSONValue(edits)),
            ("hiddenPackets", JSONValue(hiddenPackets)),
            ("matrix", matrix.jsonValue),
            ("range", range.jsonValue),
            ("primaries", primaries.jsonValue),
            ("transfer", transfer.jsonValue),
            ("hdr", JSONValue(highDynamicRange)),
            ("otherStreams", JSONValue(otherStreams)),
            ("stream", stream?.jsonValue ?? .null),
            ("actions", .array(actions.map { .string($0) })),
        ]
    }
}

extension VideoInfo: CustomStringConvertible {
    /// For people: a line each.
    public var description: String {
        func tag(_ part: PictureFacts.Colour) -> String { part.isTagged ? part.name : "\(part.name) (guessed)" }
        var lines: [(String, String)] = [
            ("container", container + (byteCount.map { ", \($0) bytes" } ?? "")),
            ("length", "\(length.clockText) (\(length.decimalSeconds) s)"),
            (
                "start",
                "\(MediaTime(ticks: start.pts, timeBase: start.timeBase).decimalSeconds) s"
                    + " (tick \(start.pts) of \(start.timeBase) s)"
            ),
            ("codec", [codec, profile, pixelFormat].compactMap(\.self).joined(separator: ", ")),
            (
                "size",
                "\(width)x\(height)"
                    + (width == codedWidth && height == codedHeight ? "" : " (coded \(codedWidth)x\(codedHeight))")
            ),
            (
                "turn",
                rotation == 0 && !isMirrored
                    ? "none" : "\(rotation) degrees clockwise" + (isMirrored ? ", mirrored" : "")
            ),
            ("pixels", sampleAspectRatio == "1:1" ? "square" : sampleAspectRatio),
            ("scan", isInterlaced ? "interlaced" : "progressive"),
            ("frame rate", (frameRate?.decimalSeconds ?? "unknown") + (hasVariableFrameRate ? ", variable" : "")),
            (
                "key frames",
                keyDistance.map {
                    $0.lowerBound == $0.upperBound
                        ? "every \($0.lowerBound.decimalSeconds) s"
                        : "every \($0.lowerBound.decimalSeconds) to \($0.upperBound.decimalSeconds) s"
                }
                    ?? "unknown"
            ),
            (
                "colours",
                "matrix \(tag(matrix)), range \(tag(range)), primaries \(tag(primaries)), transfer \(tag(transfer))"
            ),
        ]
        if let stream { lines.insert(("stream", stream.sentence), at: 1) }
        if edits > 0, containerNames.contains("matroska") {
            lines.append(("chapters", "say what is shown in which order"))
        } else if edits > 0 {
            lines.append(("edit list", edits == 1 ? "one edit" : "\(edits) edits"))
        }
        if let highDynamicRange { lines.append(("HDR", highDynamicRange)) }
        if let otherStreams { lines.append(("besides", otherStreams)) }
        for action in actions { lines.append(("snap", action)) }
        let width = lines.map(\.0.count).max() ?? 0
        return ([source] + lines.map { "  \($0.0)" + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 })
            .joined(separator: "\n")
    }
}
