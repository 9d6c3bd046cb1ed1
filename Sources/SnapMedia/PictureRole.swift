/// Whether other pictures may be predicted from a packet's picture, as its headers tell.
struct PictureRole: Hashable {
    /// The temporal sub-layer, from 0: no picture is predicted from one of a higher layer.
    var layer = 0
    /// Whether pictures of its own layer may be predicted from it, or its packet holds what later packets need.
    var isReference: Bool
    /// Whether there is no layer above, whose pictures could be predicted from it.
    var isInTopLayer = true
    /// Where the headers name the pictures that each is predicted from.
    var slots: SlotUse?

    /// Whether nothing at all depends on it.
    var isDisposable: Bool { isInTopLayer && !isReference }

    /// Whether a picture that is decoded later, or with `nil` any, can't depend on it.
    func isUseless(for other: PictureRole?) -> Bool {
        guard let other else { return isDisposable }
        return !(layer < other.layer || layer == other.layer && isReference)
    }
}
