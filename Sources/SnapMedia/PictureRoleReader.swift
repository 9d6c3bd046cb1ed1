import CFFmpeg

/// Reads the roles of pictures from the headers of their packets, without decoding them.
struct PictureRoleReader {
    private enum Syntax {
        case h264(NALUnits)
        /// `layers` is how many temporal sub-layers there are; `nil` where not known.
        case hevc(NALUnits, layers: Int?)
        case av1(AV1SequenceHeader?)
        case mpegVideo
    }

    private var syntax: Syntax

    /// - Returns: `nil` for codecs whose headers don't tell, or whose pictures always matter. Those of VP8 and VP9 do:
    ///   a frame that nothing is predicted from still changes the probabilities of the next one.
    init?(_ stream: UnsafePointer<AVStream>) {
        guard let parameters = unsafe stream.pointee.codecpar else { return nil }
        unsafe self.init(parameters.pointee.codec_id, parameters.pointee.configuration)
    }

    init?(_ codec: AVCodecID, _ extradata: [UInt8]) {
        switch codec {
        case AV_CODEC_ID_H264: syntax = .h264(NALUnits(avcConfiguration: extradata))
        case AV_CODEC_ID_HEVC: syntax = Self.hevc(extradata)
        case AV_CODEC_ID_AV1: syntax = .av1(AV1SequenceHeader(configuration: extradata))
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: syntax = .mpegVideo
        default: return nil
        }
    }

    /// - Returns: `nil` where the headers can't be made out.
    mutating func role(of packet: Packet) -> PictureRole? {
        if let extradata = packet.newExtradata {
            switch syntax {
            case .h264: syntax = .h264(NALUnits(avcConfiguration: extradata))
            case .hevc: syntax = Self.hevc(extradata)
            case .av1: syntax = .av1(AV1SequenceHeader(configuration: extradata))
            case .mpegVideo: break
            }
            return nil
        }
        if packet.isCorrupt { return nil }
        return packet.withBytes { bytes in
            switch syntax {
            case .h264(let units): return Self.avcRole(units, bytes)
            case .hevc(let units, var layers):
                let role = Self.hevcRole(units, bytes, &layers)
                syntax = .hevc(units, layers: layers)
                return role
            case .av1(var sequence):
                let role = AV1SequenceHeader.role(of: bytes, &sequence)
                syntax = .av1(sequence)
                return role
            case .mpegVideo: return Self.mpegRole(bytes)
            }
        }
    }

    // MARK: H.264 (ITU-T H.264, 7.3.1 and 7.4.1)

    private static func avcRole(_ units: NALUnits, _ bytes: Span<UInt8>) -> PictureRole? {
        var role: PictureRole?
        let isSound = units.forEach(in: bytes) { place in
            switch bytes[place] & 31 {
            case 1: role = PictureRole(isReference: bytes[place] >> 5 & 3 != 0)
            case 6, 9, 12, 14: break  // supplemental information, delimiter, filler, prefix
            default: role = PictureRole(isReference: true)
            }
            return role?.isReference != true
        }
        return isSound ? role : nil
    }

    // MARK: H.265 (ITU-T H.265, 7.3.1 and table 7-1)

    /// An HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1), or parameter sets behind start codes.
    private static func hevc(_ extradata: [UInt8]) -> Syntax {
        let units = NALUnits(hevcConfiguration: extradata)
        var layers: Int?
        if case .behindLengths = units {
            layers = Int(extradata[21] >> 3 & 7)
            if layers == 0 { layers = nil }
        } else {
            _ = hevcRole(units, extradata.span, &layers)
        }
        return .hevc(units, layers: layers)
    }

    private static func hevcRole(_ units: NALUnits, _ bytes: Span<UInt8>, _ layers: inout Int?) -> PictureRole? {
        var role: PictureRole?
        let isSound = units.forEach(in: bytes) { place in
            guard place + 1 < bytes.count else { return true }
            let type = bytes[place] >> 1 & 63
            // Further views and enhancements are no part of the picture.
            if bytes[place] & 1 != 0 || bytes[place + 1] >> 3 != 0 { return true }
            let layer = Int(bytes[place + 1] & 7) - 1
            switch type {
            case 0...15:
                let isReference = type % 2 == 1 || role?.isReference == true
                role = PictureRole(layer: max(layer, 0), isReference: isReference)
            case 35, 38, 39, 40, 48...63: break  // delimiter, filler, supplemental information, unspecified
            case 33 where place + 2 < bytes.count:
                layers = max(layers ?? 0, Int(bytes[place + 2] >> 1 & 7) + 1)
                fallthrough
            default: role = PictureRole(layer: max(layer, 0), isReference: true)
            }
            return true
        }
        guard isSound, var role else { return nil }
        role.isInTopLayer = layers.map { role.layer + 1 >= $0 } ?? false
        return role
    }

    // MARK: MPEG-1 and MPEG-2 video (ITU-T H.262, 6.2.3 and table 6-12)

    private static func mpegRole(_ bytes: Span<UInt8>) -> PictureRole? {
        var role: PictureRole?
        StartCodes.forEach(in: bytes) { place in
            switch bytes[place] {
            case 0 where place + 2 < bytes.count: role = PictureRole(isReference: bytes[place + 2] >> 3 & 7 != 3)
            case 0xb2, 0xb5: break  // user data, extensions
            case 0x01...0xaf: return false  // slices
            default: role = PictureRole(isReference: true)
            }
            return role?.isReference != true
        }
        return role
    }
}

extension PictureRoleReader {
    /// Where decoding may begin so that all frames from there on are what they are from the start of the stream.
    enum Entry {
        /// Everything before it is shown before it: an IDR picture of H.264.
        case complete
        /// Pictures that follow it may be shown before it.
        case leading
    }

    /// Whether a packet that the container calls a key frame may be predicted from others without the decoder noticing:
    /// H.264's believes whoever says that one can start there.
    func isDoubtful(_ key: Packet) -> Bool {
        if case .h264 = syntax { entry(at: key) == nil } else { false }
    }

    /// - Returns: `nil` for packets that are no such place, and where the headers don't tell.
    func entry(at packet: Packet) -> Entry? {
        guard packet.isKey, !packet.isCorrupt else { return nil }
        return packet.withBytes { bytes in
            var entry: Entry?
            switch syntax {
            case .h264(let units):
                _ = units.forEach(in: bytes) { place in
                    if bytes[place] & 31 == 5 { entry = .complete }
                    return entry == nil
                }
            case .hevc(let units, _):  // random access points: ITU-T H.265, table 7-1
                _ = units.forEach(in: bytes) { place in
                    if 16...21 ~= bytes[place] >> 1 & 63 { entry = .leading }
                    return entry == nil
                }
            case .mpegVideo: entry = .leading
            case .av1: break
            }
            return entry
        }
    }
}
