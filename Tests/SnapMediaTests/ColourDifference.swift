import Foundation

/// How far colours are apart, for people.
enum ColourDifference {
    /// Between two colours of sRGB, each channel 0 to 255 (CIE 142-2001; sRGB by IEC 61966-2-1, white D65).
    static func ciede2000(_ first: [Double], _ second: [Double]) -> Double { ciede2000(lab: lab(first), lab(second)) }

    private static func light(_ byte: Double) -> Double {
        let value = byte / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func lab(_ rgb: [Double]) -> [Double] {
        let (r, g, b) = (light(rgb[0]), light(rgb[1]), light(rgb[2]))
        let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
        let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
        let z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
        let f = { (t: Double) in t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
        return [116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))]
    }

    /// As G. Sharma, W. Wu and E. N. Dalal write it out.
    static func ciede2000(lab first: [Double], _ second: [Double]) -> Double {
        let radians = Double.pi / 180
        let (c1, c2) = (hypot(first[1], first[2]), hypot(second[1], second[2]))
        let mean7 = pow((c1 + c2) / 2, 7)
        let g = 0.5 * (1 - (mean7 / (mean7 + pow(25, 7))).squareRoot())
        let (a1, a2) = ((1 + g) * first[1], (1 + g) * second[1])
        let (chroma1, chroma2) = (hypot(a1, first[2]), hypot(a2, second[2]))
        let hue = { (a: Double, b: Double) -> Double in
            if a == 0, b == 0 { return 0 }
            let angle = atan2(b, a) / radians
            return angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (hue(a1, first[2]), hue(a2, second[2]))
        let isGrey = chroma1 * chroma2 == 0
        var turn = isGrey ? 0 : h2 - h1
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        let deltaHue = 2 * (chroma1 * chroma2).squareRoot() * sin(turn / 2 * radians)
        var meanHue = h1 + h2
        if !isGrey {
            meanHue = abs(h1 - h2) <= 180 ? meanHue / 2 : meanHue < 360 ? (meanHue + 360) / 2 : (meanHue - 360) / 2
        }
        let t =
            1 - 0.17 * cos((meanHue - 30) * radians) + 0.24 * cos(2 * meanHue * radians)
            + 0.32 * cos((3 * meanHue + 6) * radians) - 0.20 * cos((4 * meanHue - 63) * radians)
        let (lightness, chroma) = ((first[0] + second[0]) / 2, (chroma1 + chroma2) / 2)
        let chroma7 = pow(chroma, 7)
        let rotation =
            -2 * (chroma7 / (chroma7 + pow(25, 7))).squareRoot()
            * sin(60 * exp(-pow((meanHue - 275) / 25, 2)) * radians)
        let offset = pow(lightness - 50, 2)
        let l = (second[0] - first[0]) / (1 + 0.015 * offset / (20 + offset).squareRoot())
        let c = (chroma2 - chroma1) / (1 + 0.045 * chroma)
        let h = deltaHue / (1 + 0.015 * chroma * t)
        return (l * l + c * c + h * h + rotation * c * h).squareRoot()
    }

    /// How far the hue of a picture's colour is from that of a light, in degrees of BT.2100's ICtCp.
    ///
    /// - Parameters:
    ///   - light: Linear, of BT.709's primaries, white (203 cd/m²) being 1.
    ///   - bytes: Of sRGB.
    /// - Returns: `nil` where one of them is too grey or too dark to have a hue.
    static func hueTurn(fromLight light: [Double], to bytes: [Int]) -> Double? {
        let (first, second) = (opponents(light), opponents(bytes.map { Self.light(Double($0)) }))
        guard hypot(first.0, first.1) > 0.03, hypot(second.0, second.1) > 0.03 else { return nil }
        let turn = abs(atan2(first.1, first.0) - atan2(second.1, second.0)) * 180 / .pi
        return min(turn, 360 - turn)
    }

    /// Ct and Cp.
    private static func opponents(_ light: [Double]) -> (Double, Double) {
        let (r, g, b) = (light[0], light[1], light[2])
        // BT.709 to BT.2020 as Recommendation ITU-R BT.2087 gives it.
        let wide = [
            0.6274 * r + 0.3293 * g + 0.0433 * b, 0.0691 * r + 0.9195 * g + 0.0114 * b,
            0.0164 * r + 0.0880 * g + 0.8956 * b,
        ]
        let rows: [[Double]] = [[1688.0, 2146, 262], [683, 2951, 462], [99, 309, 3688]]
        let cones = rows.map { row -> Double in
            let sum: Double = row[0] * wide[0] + row[1] * wide[1] + row[2] * wide[2]
            let light: Double = max(sum / 4096, 0) * 203 / 10000
            let power: Double = pow(light, 2610.0 / 16384)
            let (above, below): (Double, Double) = (0.8359375 + 18.8515625 * power, 1 + 18.6875 * power)
            return pow(above / below, 78.84375)
        }
        let tritan: Double = (6610 * cones[0] - 13613 * cones[1] + 7003 * cones[2]) / 4096
        let protan: Double = (17933 * cones[0] - 17390 * cones[1] - 543 * cones[2]) / 4096
        return (tritan, protan)
    }
}
