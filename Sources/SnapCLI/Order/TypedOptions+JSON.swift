import ArgumentParser
import Snap

/// The options by their long names, as lines of JSON name them.
extension TypedOptions {
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
        // To say which frames is to say it anew: of what excludes each other, the defaults would else be in the way.
        if ["at", "every", "count", "distinct"].contains(where: { members[$0] != nil }) {
            (frame.at, frame.every, frame.count, frame.distinct) = ([], nil, nil, nil)
        }
        if ["tolerance", "keyframe"].contains(where: { members[$0] != nil }) {
            (frame.tolerance, frame.keyframe) = (nil, false)
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let place = Self.placesByName[name] else {
                throw SnapError(.usage, "'\(name)' is not a key of requests (see docs/worker.md)")
            }
            try place.set(value, in: &self, name)
        }
    }

    /// What differs from the options that nothing was typed for, as a line of JSON would say it.
    func differences(from plain: TypedOptions) -> [(key: String, value: JSONValue)] {
        Self.places.compactMap { name, place in
            let value = place.value(in: self)
            return value.text == place.value(in: plain).text ? nil : (name, value)
        }
    }
}
