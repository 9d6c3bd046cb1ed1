/// One frame of HDR, with metadata that libx265 as Debian has it can't write.
extension Clip {
    /// HDR10 whose brightest pixel has 1000 cd/m², by its metadata. White has a signal of 0.6, 244 cd/m²: more than SDR's, so
    /// that all ways to show HDR differ.
    /// The stream calls its colours unspecified, the container PQ.
    public static let tagsInContainer: [Clip] = ["mp4", "mkv"].map { container in
        Clip(
            "tags-in-container", container, .steady(12, per: 12800, step: 512),
            copying: Clip(
                "tags-unspecified", "mkv", .steady(12, per: 1000, step: 40), from: FrameSource(count: 12),
                x265("open-gop=0:colorprim=2:transfer=2:colormatrix=2")),
            ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv"])
    }

    public static let hdr10 = Clip(
        "hevc-hdr10", "hevc", .untimed(1), from: FrameSource(count: 1),
        ["-vf", "lutrgb=r=val*0.6:g=val*0.6:b=val*0.6"] + x265("max-cll=1000,400") + [
            "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
            "bt2020nc",
            "-color_range", "tv",
        ])

    /// The same with HDR10+, by which the brightest pixel of the scene has 600 cd/m².
    public static let hdr10Plus = Clip(
        "hevc-hdr10-plus", "hevc", .untimed(1),
        .patched(hdr10, .hevcUnits("HDR10+ of 600", before: sceneLight(luminances: [400, 600, 500]))))

    /// The same with metadata of Dolby Vision that call it profile 5, and say of its numbers what HDR10's tags do; graded on
    /// a display of 1000 cd/m².
    public static let dolbyVision5 = Clip(
        "hevc-dolby-vision-5", "hevc", .untimed(1),
        .patched(hdr10, .hevcUnits("Dolby Vision 5", after: dolbyVisionUnit)))

    /// A message with SMPTE ST 2094-40 as CTA-861-I, S.2, and ITU-T T.35 wrap it.
    ///
    /// - Parameter luminances: The largest red, green and blue, in cd/m².
    private static func sceneLight(luminances: [Int]) -> [UInt8] {
        var bits = BitWriter()
        bits.add([0xB5, 0x00, 0x3C, 0x00, 0x01, 4, 1])
        bits.add(1, bits: 2)  // num_windows
        bits.add(400, bits: 27)  // targeted_system_display_maximum_luminance
        bits.add(0, bits: 1)  // targeted_system_display_actual_peak_luminance_flag
        for luminance in luminances { bits.add(10 * luminance, bits: 17) }  // maxscl
        bits.add(100, bits: 17)  // average_maxrgb
        bits.add(1, bits: 4)  // num_distribution_maxrgb_percentiles
        bits.add(99, bits: 7)
        bits.add(3000, bits: 17)
        bits.add(0, bits: 10)  // fraction_bright_pixels
        bits.add(0, bits: 3)  // no actual peak of the mastering display, no tone mapping, no saturation mapping
        bits.align()
        // SEI: user_data_registered_itu_t_t35, its size, the message, rbsp_trailing_bits().
        return [39 << 1, 1, 4, UInt8(bits.bytes.count)] + bits.bytes + [0x80]
    }

    /// The RPU, as ETSI GS CCM 001 has it: no reshaping, and the matrices of profile 8.
    private static var dolbyVisionUnit: [UInt8] {
        var bits = BitWriter()
        bits.add(25, bits: 8)  // prefix
        bits.add(2, bits: 6)  // rpu_type
        bits.add(18, bits: 11)  // rpu_format
        bits.add(0, bits: 8)  // vdr_rpu_profile and _level
        bits.add(0b1000, bits: 4)  // vdr_seq_info_present; coefficients with a fixed point
        bits.addUnsigned(23)  // coefficient_log2_denom
        bits.add(0b011, bits: 3)  // vdr_rpu_normalized_idc; full range, which makes it profile 5
        for depthFrom8 in [2, 2, 4] { bits.addUnsigned(depthFrom8) }
        bits.add(0b000001, bits: 6)  // no resampling; no residual
        bits.add(0b10, bits: 2)  // colour metadata are there; none of before are used
        for _ in 0..<3 { bits.addUnsigned(0) }
        for _ in 0..<3 {
            bits.addUnsigned(0)  // two pivots
            bits.add(0, bits: 10)
            bits.add(1023, bits: 10)
        }
        for _ in 0..<2 { bits.addUnsigned(0) }  // one partition
        for _ in 0..<3 {
            for _ in 0..<2 { bits.addUnsigned(0) }  // a polynomial of order 1
            bits.add(0, bits: 1)  // not interpolated
            for coefficient in 0...1 {  // 0, then 1: se(v) and the fraction
                bits.addUnsigned(coefficient)
                bits.add(0, bits: 23)
            }
        }
        for _ in 0..<3 { bits.addUnsigned(0) }  // the numbers of the metadata; scene_refresh_flag
        for number in [9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0] { bits.add(number, bits: 16) }
        for number in [1 << 24, 1 << 27, 1 << 27] { bits.add(number, bits: 32) }
        for number in [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962] { bits.add(number, bits: 16) }
        for (number, count) in [(65535, 16), (0, 16), (0, 16), (0, 32), (12, 5), (0, 2), (0, 2), (1, 2)] {
            bits.add(number, bits: count)  // signal_eotf and what the signal is
        }
        bits.add(7, bits: 12)  // source_min_pq
        bits.add(3079, bits: 12)  // source_max_pq: 1000 cd/m²
        bits.add(42, bits: 10)  // source_diagonal
        bits.addUnsigned(0)  // num_ext_blocks
        bits.align()
        bits.add(0, bits: 32)  // where a real one has its checksum
        bits.end()
        return [62 << 1, 1] + bits.bytes
    }
}

extension Clip {
    /// A grey of 128/255 in floating point, and nothing that says what the numbers mean.
    public static let floatingPoint = ["exr", "pfm"].map { fileExtension in
        let colour = [
            "-f", "lavfi", "-i", "color=0x808080:s=64x64", "-frames:v", "1", "-pix_fmt", "gbrpf32le", "{out}",
        ]
        return Clip("grey-float", fileExtension, .nothing, .commands([colour], sources: [], clips: []))
    }
}

extension BytePatch {
    /// NAL units put before the only picture of a stream of HEVC (ITU-T H.265, annex B), or after it.
    static func hevcUnits(_ name: String, before: [UInt8] = [], after: [UInt8] = []) -> BytePatch {
        BytePatch(name: name) { bytes in
            let starts = bytes.indices.dropLast(3).filter { bytes[$0..<$0 + 3].elementsEqual([0, 0, 1]) }
            // Types below 32 are pictures.
            guard let picture = starts.first(where: { bytes[$0 + 3] >> 1 & 63 < 32 }) else {
                throw ProcessError("no picture for \(name)")
            }
            let added = [before, after].map { $0.isEmpty ? [] : NALUnit.behindStartCode($0) }
            return Array(bytes[..<picture]) + added[0] + Array(bytes[picture...]) + added[1]
        }
    }
}
