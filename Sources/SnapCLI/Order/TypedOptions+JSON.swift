import ArgumentParser
import Snap

/// The options by their long names, as lines of JSON name them.
extension TypedOptions {
    /// What they are where nothing is typed.
    static let plain: TypedOptions = {
        guard let plain = try? parse([]) else { fatalError("an option has no default") }
        return plain
    }()

    private static let places: [(name: String, place: OptionPlace)] = [
        ("at", .list(\.frame.at)), ("every", .optionalText(\.frame.every)),
        ("count", .optionalNumber(\.frame.count)), ("distinct", .optionalNumber(\.frame.distinct)),
        ("from", .optionalText(\.frame.from)),
        ("to", .optionalText(\.frame.to)), ("tolerance", .optionalText(\.frame.tolerance)),
        ("keyframe", .flag(\.frame.keyframe)), ("strict", .flag(\.frame.strict)),
        ("on-damage", .choice(\.frame.onDamage)),
        ("size", .optionalText(\.picture.size)), ("fit", .choice(\.picture.fit)),
        ("upscale", .flag(\.picture.upscale)), ("no-rotate", .flag(\.picture.noRotate)),
        ("keep-sar", .flag(\.picture.keepSar)), ("deinterlace", .choice(\.picture.deinterlace)),
        ("hdr", .choice(\.picture.hdr)),
        ("background", .text(\.picture.background)), ("format", .optionalText(\.picture.format)),
        ("quality", .number(\.picture.quality)), ("subsampling", .choice(\.picture.subsampling)),
        ("progressive", .flag(\.picture.progressive)), ("optimize", .flag(\.picture.optimize)),
        ("metadata", .flag(\.picture.metadata)),
        ("output", .optionalText(\.output.output)), ("skip-existing", .flag(\.output.skipExisting)),
        ("variant", .text(\.stream.variant)), ("timeline", .choice(\.stream.timeline)),
        ("max-age", .optionalText(\.stream.maxAge)),
        ("timeout", .text(\.reading.timeout)), ("max-pixels", .text(\.reading.maxPixels)),
        ("max-bytes", .text(\.reading.maxBytes)), ("header", .list(\.reading.header)),
        ("user-agent", .optionalText(\.reading.userAgent)), ("allow-private", .flag(\.reading.allowPrivate)),
        ("cacert", .optionalText(\.reading.certificateFile)), ("index", .optionalText(\.reading.index)),
        ("threads", .optionalNumber(\.reading.threads)),
    ]
    private static let placesByName = Dictionary(uniqueKeysWithValues: places.map { ($0.name, $0.place) })

    /// Takes over what a line of JSON says.
    ///
    /// - Throws: ``SnapError`` with code `usage` that names the key.
    mutating func set(_ members: [String: JSONInput]) throws(SnapError) {
        func names(_ keys: String...) -> Bool { keys.contains { members.named($0) != nil } }
        // To say which frames is to say it anew: of what excludes each other, the defaults would else be in the way.
        if names("at", "every", "count", "distinct") {
            (frame.at, frame.every, frame.count, frame.distinct) = ([], nil, nil, nil)
        }
        if names("tolerance", "keyframe") { (frame.tolerance, frame.keyframe) = (nil, false) }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let place = Self.placesByName[name] else {
                throw SnapError(.usage, "'\(name)' is not a key of requests (see docs/worker.md)")
            }
            try place.set(value, in: &self, name)
        }
    }

    /// What differs from ``plain``, as a line of JSON would say it.
    var differences: [(key: String, value: JSONValue)] {
        Self.places.compactMap { name, place in
            let value = place.value(in: self)
            return value.text == place.value(in: .plain).text ? nil : (name, value)
        }
    }
}

extension [String: JSONInput] {
    /// What a line says of something; `nil` where that is `null`, too, which is as if it were not named.
    func named(_ key: String) -> JSONInput? {
        guard let value = self[key], !value.isNull else { return nil }
        return value
    }

    /// The same, and takes it out.
    mutating func take(_ key: String) -> JSONInput? {
        defer { self[key] = nil }
        return named(key)
    }
}
