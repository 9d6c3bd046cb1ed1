/// The chapters of a Matroska file whose edition says that they are shown one after the other, whatever else the file holds
/// (EditionFlagOrdered: RFC 9559, section 5.1.7). libavformat takes no notice of it.
struct OrderedChapters {
    /// What of the file is shown, in nanoseconds of its own time; empty where that is all of it, from start to end.
    private(set) var ranges: [Range<Int64>] = []
    /// Whether there are chapters besides that show other files.
    private(set) var showsOtherFiles = false

    private typealias Kind = EBMLElement.Kind

    init(in reader: ByteReader) throws(MediaError) {
        var budget = EBMLElement.mostElements
        guard let list = try EBMLElement.topLevel(Kind.chapters, in: reader, &budget) else { return }
        var editions: [(isDefault: Bool, isOrdered: Bool, parts: [EBMLElement])] = []
        for edition in try list.children(reader, &budget) where edition.kind == Kind.edition {
            let parts = try edition.children(reader, &budget)
            let isDefault = try parts.first { $0.kind == Kind.editionIsDefault }?.number(reader) == 1
            let isOrdered = try parts.first { $0.kind == Kind.editionIsOrdered }?.number(reader) == 1
            editions.append((isDefault, isOrdered, parts))
        }
        // Players take the first where none is said to be the default one.
        guard let edition = editions.first(where: { $0.isDefault }) ?? editions.first, edition.isOrdered else { return }
        for chapter in edition.parts where chapter.kind == Kind.chapter {
            let parts = try chapter.children(reader, &budget)
            func number(_ kind: UInt32) throws(MediaError) -> Int64? {
                try parts.first { $0.kind == kind }?.number(reader).map { Int64($0) }
            }
            if parts.contains(where: { $0.kind == Kind.chapterSegment }) {
                showsOtherFiles = true
            } else if let start = try number(Kind.chapterStart), let end = try number(Kind.chapterEnd), start < end,
                try number(Kind.chapterIsEnabled) != 0
            {
                append(start..<end)
            }
        }
    }

    private mutating func append(_ range: Range<Int64>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
}
