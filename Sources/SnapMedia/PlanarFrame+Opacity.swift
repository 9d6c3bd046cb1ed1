/// Colours weighted by their opacity, which is how pictures with alpha are scaled: an average must not count colours that
/// nobody sees.
///
/// This holds for luma and colour differences as for red, green and blue: the way from one to the other is linear but for
/// an offset, which weights that add up to 1 leave as it is.
extension PlanarFrame {
    /// Multiplies samples of 16 bits with their opacity, and halves both: scaling overshoots at edges, and what would be
    /// cut off there would change the colour that comes of it.
    ///
    /// - Parameters:
    ///   - black: The samples of black, which has an offset.
    ///   - isMultiplied: Whether what is above black is multiplied already.
    func multiplyByOpacity(black: SIMD3<UInt16>, isMultiplied: Bool) throws(PictureError) {
        let (alpha, white) = (try plane(of: 3), Float(layout.white))
        let colours = try colourPlanes
        for y in 0..<height {
            let opacity = unsafe alpha.row(y, of: UInt16.self)
            for (index, plane) in colours.enumerated() {
                let (row, offset) = (unsafe plane.row(y, of: UInt16.self), Float(black[index]))
                for x in 0..<width {
                    let weight = unsafe min(Float(opacity[x]), white) / (2 * white)
                    let sample = unsafe Float(row[x])
                    let weighted = isMultiplied ? max(0, sample / 2 - offset * (0.5 - weight)) : sample * weight
                    unsafe row[x] = UInt16(weighted + 0.5)
                }
            }
            for x in 0..<width {
                unsafe opacity[x] = UInt16((min(UInt32(opacity[x]), UInt32(layout.white)) + 1) / 2)
            }
        }
    }

    /// The inverse.
    ///
    /// - Parameter black: What becomes of samples without any opacity.
    func divideByOpacity(black: SIMD3<UInt16>) throws(PictureError) {
        let (alpha, white) = (try plane(of: 3), layout.white)
        let colours = try colourPlanes
        for y in 0..<height {
            let opacity = unsafe alpha.row(y, of: UInt16.self)
            for (index, plane) in colours.enumerated() {
                let (row, hidden) = (unsafe plane.row(y, of: UInt16.self), Float(black[index]))
                for x in 0..<width {
                    let weight = unsafe Float(opacity[x])
                    let value = unsafe Float(row[x]) * Float(white) / max(weight, 1) + 0.5
                    unsafe row[x] = UInt16(weight > 0 ? min(value, 65535) : hidden)
                }
            }
            for x in 0..<width { unsafe opacity[x] = UInt16(min(2 * UInt32(opacity[x]), UInt32(white))) }
        }
    }

    /// Planes of a frame that was scaled to 4:4:4, each by itself.
    private var colourPlanes: [Plane] {
        get throws(PictureError) { [try plane(of: 0), try plane(of: 1), try plane(of: 2)] }
    }
}
