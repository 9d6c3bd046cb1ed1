/// The receipt as JSON (RFC 8259): one object on one line. Times are seconds as decimal strings; unknown is `null`.
extension Receipt {
    public var json: String { jsonValue.text }

    package var jsonValue: JSONValue {
        .object(JSONValue.path("source", source) + JSONValue.path("output", output) + facts)
    }

    /// All but the paths.
    private var facts: [(key: String, value: JSONValue)] {
        [
            ("status", .string(status.rawValue)),
            ("code", .string(code)),
            ("message", JSONValue(message)),
            (
                "requested",
                .object([
                    ("position", position.isEmpty ? .null : .string(position)),
                    ("time", JSONValue(requested?.decimalSeconds)),
                ])
            ),
            ("actual", actual?.jsonValue ?? .null),
            ("delta", JSONValue(delta?.decimalSeconds)),
            ("keyframe", JSONValue(isKeyFrame)),
            ("clamped", .bool(isClamped)),
            ("width", JSONValue(picture?.width)),
            ("height", JSONValue(picture?.height)),
            ("format", JSONValue(picture?.format)),
            ("bytes", JSONValue(picture?.byteCount)),
            ("applied", picture?.applied ?? .null),
            ("metadata", picture?.metadata?.jsonValue ?? .null),
            ("choice", JSONValue(choice)),
            ("stream", stream?.jsonValue ?? .null),
            ("notes", .array(((picture?.notes ?? []) + reading.notes).map { .string($0) })),
            ("timeIndex", JSONValue(timeIndex?.rawValue)),
            (
                "read",
                .object([
                    ("bytes", JSONValue(isMeasured ? Int(clamping: reading.bytesRead) : nil)),
                    ("requests", JSONValue(isMeasured ? reading.requests : nil)),
                    ("connections", JSONValue(isMeasured ? reading.connections : nil)),
                    ("version", JSONValue(reading.version)),
                ])
            ),
            ("framesDecoded", JSONValue(isMeasured ? framesDecoded : nil)),
            ("milliseconds", JSONValue(isMeasured ? milliseconds : nil)),
        ]
    }
}

extension FrameTime {
    var jsonValue: JSONValue {
        .object([
            ("time", .string(time.decimalSeconds)), ("pts", .integer(pts)), ("timeBase", .string(timeBase.description)),
        ])
    }
}

extension PictureMetadata {
    fileprivate var jsonValue: JSONValue {
        .object([("date", JSONValue(date?.description)), ("location", location?.jsonValue ?? .null)])
    }
}

extension GeographicLocation {
    /// Degrees and metres as decimal strings, of at most six places.
    fileprivate var jsonValue: JSONValue {
        func decimal(_ value: Double) -> String? {
            MediaTime(Int64((value * 1_000_000).rounded()), over: 1_000_000)?.decimalSeconds
        }
        return .object([
            ("latitude", JSONValue(decimal(latitude))), ("longitude", JSONValue(decimal(longitude))),
            ("altitude", JSONValue(altitude.flatMap(decimal))),
        ])
    }
}

extension PictureFacts {
    fileprivate var applied: JSONValue {
        .object([
            ("rotation", JSONValue(rotation)),
            ("mirrored", .bool(isMirrored)),
            ("sampleAspectRatio", .string(sampleAspectRatio)),
            ("deinterlaced", .bool(isDeinterlaced)),
            ("fields", JSONValue(fields?.rawValue)),
            ("matrix", matrix.jsonValue),
            ("range", range.jsonValue),
            ("primaries", primaries.jsonValue),
            ("transfer", transfer.jsonValue),
            ("dolbyVision", JSONValue(dolbyVisionProfile)),
            ("hdr", JSONValue(highDynamicRange?.rawValue)),
            ("peak", peak?.jsonValue ?? .null),
        ])
    }
}

extension PeakLuminance {
    fileprivate var jsonValue: JSONValue {
        .object([("luminance", JSONValue(Int(luminance.rounded()))), ("source", .string(source.rawValue))])
    }
}

extension PictureFacts.Colour {
    package var jsonValue: JSONValue {
        .object([("value", .string(name)), ("source", .string(isTagged ? "tagged" : "guessed"))])
    }
}
