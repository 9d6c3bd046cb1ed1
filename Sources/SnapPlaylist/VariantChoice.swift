package import SnapBase

/// Which variant of a stream is wanted.
package struct VariantWish: Sendable, Hashable {
    package var selection: VariantSelection
    /// What the picture has to fill, in pixels; `nil` where a side is free.
    package var width: Int?
    package var height: Int?

    package init(_ selection: VariantSelection, for size: PictureSize = .original) {
        self.selection = selection
        switch size {
        case .original: break
        case .width(let width): self.width = width
        case .height(let height): self.height = height
        case .box(let width, let height): (self.width, self.height) = (width, height)
        }
    }
}

/// Variants that serve, the best first, and why the others don't.
package struct RankedVariants: Sendable, Hashable {
    package internal(set) var variants: [Variant] = []
    /// In words, such as `audio only: 1`; empty where none was left out.
    package internal(set) var reasons: [String] = []
}

extension MultivariantPlaylist {
    /// Orders the variants by how well they serve.
    ///
    /// The smallest picture that fills the box, with 5 % of slack; else the largest. Of equal size, the one with the
    /// fewest bits. Without sizes, bits decide. SDR goes before HDR.
    ///
    /// - Parameter canDecode: Whether there is a decoder for a codec, by FFmpeg's name of it.
    package func ranked(for wish: VariantWish, canDecode: (String) -> Bool) -> RankedVariants {
        var result = RankedVariants()
        var (audioOnly, undecodable): (Int, [String]) = (0, [])
        var candidates: [Variant] = []
        for variant in variants {
            let codecs = variant.codecs.map(CodecName.init)
            let videos = codecs.compactMap(\.video)
            if !variant.codecs.isEmpty, videos.isEmpty, codecs.allSatisfy(\.isKnown), variant.width == nil {
                audioOnly += 1
            } else if let missing = videos.first(where: { !canDecode($0) }) {
                undecodable.append(missing)
            } else {
                candidates.append(variant)
            }
        }
        if audioOnly > 0 { result.reasons.append("audio only: \(audioOnly)") }
        if !undecodable.isEmpty {
            result.reasons.append("no decoder for " + Set(undecodable).sorted().joined(separator: ", "))
        }
        result.variants = ordered(candidates, wish)
        return result
    }

    private func ordered(_ candidates: [Variant], _ wish: VariantWish) -> [Variant] {
        switch wish.selection {
        case .index(let index):
            guard variants.indices.contains(index) else { return [] }
            return candidates.filter { $0 == variants[index] }
        case .size(let width, let height):
            return candidates.filter { $0.width == width && $0.height == height }.sorted(by: hasFewerBits)
        case .bandwidth(let bits):
            return candidates.filter { $0.bandwidth == bits || $0.averageBandwidth == bits }
        case .smallest: return candidates.sorted { isPreferred($0, $1) { isSmaller($0, $1) } }
        case .largest: return candidates.sorted { isPreferred($0, $1) { isSmaller($1, $0) } }
        case .automatic:
            guard wish.width != nil || wish.height != nil else {
                return candidates.sorted { isPreferred($0, $1) { isSmaller($1, $0) } }
            }
            return candidates.sorted { left, right in
                isPreferred(left, right) { left, right in
                    switch (fills(left, wish), fills(right, wish)) {
                    case (true, false): true
                    case (false, true): false
                    case (true, true): isSmaller(left, right)
                    case (false, false): isSmaller(right, left)
                    }
                }
            }
        }
    }

    private func isPreferred(_ left: Variant, _ right: Variant, _ rule: (Variant, Variant) -> Bool) -> Bool {
        if left.isHDR != right.isHDR { return right.isHDR }
        if rule(left, right) { return true }
        if rule(right, left) { return false }
        return hasFewerBits(left, right)
    }

    private func hasFewerBits(_ left: Variant, _ right: Variant) -> Bool { left.bits < right.bits }

    private func isSmaller(_ left: Variant, _ right: Variant) -> Bool {
        guard let a = left.area, let b = right.area else { return left.bits < right.bits }
        return a < b
    }

    /// Whether a variant has the pixels that are wanted, with 5 % of slack. Without a size, nobody knows: yes.
    private func fills(_ variant: Variant, _ wish: VariantWish) -> Bool {
        guard let width = variant.width, let height = variant.height else { return true }
        return width * 100 >= (wish.width ?? 0) * 95 && height * 100 >= (wish.height ?? 0) * 95
    }
}

extension Variant {
    fileprivate var isHDR: Bool { videoRange.map { $0 != "SDR" } ?? false }
    fileprivate var bits: Int64 { averageBandwidth ?? bandwidth ?? 0 }
    fileprivate var area: Int64? {
        guard let width, let height else { return nil }
        return Int64(width).multipliedReportingOverflow(by: Int64(height)).partialValue
    }
}
