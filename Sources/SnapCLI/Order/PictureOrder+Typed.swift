import Snap

/// The one conversion from what was typed.
extension PictureOrder {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: TakeCommand) throws(SnapError) {
        let options = typed.options
        let product = try Product(options, implied: .files(.implied))
        self.init(
            sources: try Source.list(typed.input), products: [product],
            video: try VideoOptions(options.reading, options.stream), skipsExisting: options.output.skipExisting,
            printsReceipts: options.output.json, printsNotes: !options.output.quiet)
        video.isForOneKeyFrame = product.isOneKeyFrame
        followsLive = options.frame.every != nil && options.frame.from == nil && options.frame.to == nil
        if product.destination == .asker {
            if printsReceipts {
                throw SnapError(.usage, "--json and --output - both write to standard output; name a file")
            }
            if product.isSeveral || sources.count > 1 {
                throw SnapError(
                    .usage, "standard output holds one picture, and several are asked for; name files with -o")
            }
        }
    }
}

extension Product {
    /// - Parameter implied: Where pictures go when nothing is said about it.
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: TypedOptions, implied: Destination) throws(SnapError) {
        wanted = try Wanted(typed.frame)
        (destination, format) = try Self.output(typed, implied)
        snapshot = try SnapshotOptions(typed, keepsAlpha: format == .png)
        if snapshot.highDynamicRange == .kept, format != .png {
            throw SnapError(
                .usage, "--hdr keep needs 16 bits, which JPEG can't hold: name a .png with -o, or add --format png")
        }
        if case .files(let template) = destination, isSeveral, !template.differsByPicture {
            // Several pictures in one file would leave the last one only.
            throw SnapError(
                .usage, "one name for several pictures: add a field to it, as in -o 'shots/{stem}-{index:04}.jpg'")
        }
    }

    /// Whether it takes no more than decoding a key frame: a number is counted, and the end is looked for.
    fileprivate var isOneKeyFrame: Bool {
        guard snapshot.tolerance == .any, case .positions(let positions) = wanted, positions.count == 1 else {
            return false
        }
        switch positions[0] {
        case .frame, .end, .representative, .live: return false
        default: return true
        }
    }

    /// Whether one video gives several pictures.
    var isSeveral: Bool {
        switch wanted {
        case .positions(let positions): positions.count > 1
        case .series(let series): ![.count(1), .distinct(1)].contains(series.spacing)
        }
    }

    private static func output(
        _ typed: TypedOptions, _ implied: Destination
    ) throws(SnapError) -> (Destination, ImageFormat) {
        let asked = try typed.picture.imageFormat()
        let ordinary = ImageFormat.jpeg(try ImageFormat.JPEGOptions(typed.picture))
        guard let path = typed.output.output else { return (implied, asked ?? ordinary) }
        if path.isEmpty { throw SnapError(.usage, "--output is empty") }
        if path == "-" || OpenFilePath(path)?.isStandardOutput == true {
            if typed.output.skipExisting {
                throw SnapError(.usage, "--skip-existing needs a file, not standard output (--output \(path))")
            }
            return (.asker, asked ?? (path.lowercased().hasSuffix(".png") ? .png : ordinary))
        }
        if OutputFile.isFolder(path) { return (.files(.implied(in: path)), asked ?? ordinary) }
        let template = try NameTemplate(path)
        if template.isFolder { return (.files(template.withImpliedName), asked ?? ordinary) }
        if let asked { return (.files(template), asked) }
        switch template.fileExtension {
        case .jpeg, .any: return (.files(template), ordinary)
        case .png: return (.files(template), .png)
        case .unknown(let text):
            let what = text.isEmpty ? "no extension" : "the extension \(text)"
            throw SnapError(
                .usage,
                "'\(path)' has \(what), so that the format is not known: end it with .jpg or .png, or add --format")
        }
    }
}

extension Product.Wanted {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: FrameOptions) throws(SnapError) {
        let range = typed.from != nil || typed.to != nil
        let ways = [
            ("--at", !typed.at.isEmpty), ("--every", typed.every != nil),
            ("--count", typed.count != nil && typed.every == nil), ("--distinct", typed.distinct != nil),
        ].filter(\.1).map(\.0)
        if ways.count > 1 { throw SnapError(.usage, "\(ways[0]) and \(ways[1]) exclude each other") }
        let spacing: Series.Spacing
        if let every = typed.every {
            let distance = try MediaTime(parsing: every)
            if distance <= .zero { throw SnapError(.usage, "--every must be more than 0") }
            spacing = .every(distance)
        } else if let count = typed.count {
            spacing = .count(count)
        } else if let count = typed.distinct {
            if !(1...Series.mostDistinct).contains(count) {
                throw SnapError(.usage, "--distinct is \(count); it goes from 1 to \(Series.mostDistinct)")
            }
            spacing = .distinct(count)
        } else {
            if range { throw SnapError(.usage, "--from and --to go with --every, --count or --distinct") }
            let texts = typed.at.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            var positions: [Position] = []
            for text in texts { positions.append(try Position(text)) }
            self = .positions(positions.isEmpty ? [.representative] : positions)
            return
        }
        if let count = typed.count, !(1...Series.longest).contains(count) {
            throw SnapError(.usage, "--count is \(count); it goes from 1 to \(Series.longest)")
        }
        var series = Series(spacing, limit: typed.every == nil ? nil : typed.count)
        if let from = typed.from { series.from = try Self.edge(from, "--from") }
        if let to = typed.to { series.to = try Self.edge(to, "--to") }
        self = .series(series)
    }

    private static func edge(_ text: String, _ option: String) throws(SnapError) -> Position {
        let position = try Position(text)
        switch position {
        case .frame, .representative, .live:
            throw SnapError(.usage, "\(option) \(text): write a time, a percentage, start or end")
        default: return position
        }
    }
}
