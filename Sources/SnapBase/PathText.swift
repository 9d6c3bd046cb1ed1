#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Paths as text. On Linux, a path is any bytes without a zero; all but a few are UTF-8, and a `String` holds no others.
///
/// A byte that is not part of UTF-8, 0x80 to 0xFF, is held as one of the private scalars U+10FF80 to U+10FFFF, by its
/// lower half. Such a scalar that is itself in a path is held byte by byte in the same way, so that every path comes
/// back as it was, and any other text means its UTF-8.
extension String {
    /// The text that stands for the bytes of a path.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.holdsStrayBytes {
            self = text
            return
        }
        var text = UnicodeScalarView()
        var parser = UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var rest = bytes[...]
        while true {
            switch parser.parseScalar(from: &source) {
            case .emptyInput:
                self.init(text)
                return
            case .valid(let encoded):
                let scalar = UTF8.decode(encoded)
                if scalar.strayByte == nil {
                    text.append(scalar)
                } else {
                    text.append(contentsOf: encoded.map(Unicode.Scalar.init(strayByte:)))
                }
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                text.append(contentsOf: rest.prefix(length).map(Unicode.Scalar.init(strayByte:)))
                rest = rest.dropFirst(length)
            }
        }
    }

    /// The text that stands for a path as C has it, up to its zero.
    package init(path: UnsafePointer<CChar>) {
        self.init(pathBytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// The bytes of the path that this text stands for.
    package var pathBytes: [UInt8] {
        guard holdsStrayBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in scalar.strayByte.map { [$0] } ?? Array(scalar.utf8) }
    }

    /// Calls a C function with the path that this text stands for. Every path goes to the system through here.
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard holdsStrayBytes else { return withCString(body) }
        return body(pathBytes.map(CChar.init(bitPattern:)) + [0])
    }

    /// Whether it stands for other bytes than its UTF-8.
    package var holdsStrayBytes: Bool {
        // With this byte begin the scalars from U+100000 on, which hardly any text has.
        utf8.contains(0xF4) && unicodeScalars.contains { $0.strayByte != nil }
    }
}

extension Unicode.Scalar {
    /// The byte of a path that this scalar stands for, where it stands for one.
    package var strayByte: UInt8? { value >= 0x10FF80 ? UInt8(truncatingIfNeeded: value) : nil }

    /// - Parameter byte: From 0x80 on.
    fileprivate init(strayByte byte: UInt8) { self = Unicode.Scalar(0x10FF00 | UInt32(byte)) ?? "\u{FFFD}" }
}
