import CCurl

/// An IPv4 or IPv6 address, as far as it matters where it leads.
struct IPAddress: Sendable, Hashable {
    /// What an address is for (the special-purpose registries of RFC 6890 and its successors).
    enum Kind: Sendable, Hashable {
        case global
        /// This machine; also by the address that means none, which systems take for it.
        case loopback
        /// RFC 1918, carrier-grade NAT (RFC 6598), unique local and site local IPv6.
        case privateNetwork
        /// Where clouds keep their metadata services, too.
        case linkLocal
        case multicast
        /// Documentation, benchmarks, what is kept for the future, and tunnels whose far end can't be told.
        case reserved
    }

    /// 4 or 16 bytes, in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an address written as digits; with or without brackets, a zone is left out.
    init?(_ text: some StringProtocol) {
        let digits = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
        var room = [UInt8](repeating: 0, count: 16)
        let count = unsafe room.withUnsafeMutableBufferPointer { buffer in
            unsafe digits.withCString { unsafe ccurl_parse_address($0, buffer.baseAddress) }
        }
        guard count > 0 else { return nil }
        bytes = Array(room.prefix(Int(count)))
    }

    var kind: Kind { bytes.count == 4 ? kindOfIPv4(bytes[...]) : kindOfIPv6 }

    private var kindOfIPv6: Kind {
        let zeros = bytes.prefix { $0 == 0 }.count
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // Addresses that carry an IPv4 address lead where that leads.
        if zeros == 10, groups[5] == 0xFFFF { return kindOfIPv4(bytes[12...]) }  // ::ffff:0:0/96, mapped
        if groups[0] == 0x64, groups[1] == 0xFF9B, groups[2...5].allSatisfy({ $0 == 0 }) {  // 64:ff9b::/96, NAT64
            return kindOfIPv4(bytes[12...])
        }
        if groups[0] == 0x2002 { return kindOfIPv4(bytes[2..<6]) }  // 6to4
        if zeros == 16 || zeros == 15 && bytes[15] == 1 { return .loopback }
        switch groups[0] {
        case 0xFE80...0xFEBF: return .linkLocal
        case 0xFC00...0xFDFF, 0xFEC0...0xFEFF: return .privateNetwork
        case 0xFF00...0xFFFF: return .multicast
        case 0x2001 where groups[1] < 0x200 || groups[1] == 0xDB8: return .reserved  // Teredo and others; documentation
        case 0x3FFF where groups[1] < 0x1000: return .reserved  // documentation
        case 0x2000...0x3FFF: return .global
        default: return .reserved  // only 2000::/3 is given out
        }
    }
}

/// Four bytes; a slice, because IPv6 addresses hold some.
private func kindOfIPv4(_ slice: ArraySlice<UInt8>) -> IPAddress.Kind {
    let bytes = Array(slice)
    switch (bytes[0], bytes[1], bytes[2]) {
    case (127, _, _),
        (0, 0, 0) where bytes[3] == 0:
        return .loopback
    case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _): return .privateNetwork
    case (169, 254, _): return .linkLocal
    case (224...239, _, _): return .multicast
    case (0, _, _), (240...255, _, _), (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100),
        (203, 0, 113):
        return .reserved
    default: return .global
    }
}
