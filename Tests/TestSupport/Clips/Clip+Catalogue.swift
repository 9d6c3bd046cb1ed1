/// The catalogue.
extension Clip {
    /// Every clip whose frames can all be read, with exact facts.
    public static let exact: [Clip] = codecs + containers + timing + pictures + interlaced
}
