// The conformances are those of public types, so that their protocol must be visible too.
public import ArgumentParser
public import Snap

/// One of a few words, each case by its raw value.
public protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension Choice {
    // ArgumentParser's own way to these goes by key paths, which takes a millisecond for all choices at each start.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    public static var allValueDescriptions: [String: String] { [:] }
    public var defaultValueDescription: String { rawValue }
}

extension DamagePolicy: Choice {}
extension PictureFit: Choice {}
extension Deinterlacing: Choice {}
extension HighDynamicRange: Choice {}
extension ChromaSubsampling: Choice {}
extension StreamTimeline: Choice {}
