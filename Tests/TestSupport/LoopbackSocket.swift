import Foundation

/// The server's end of a connection.
final class LoopbackSocket {
    private let descriptor: Int32
    private var pending: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// - Returns: A listening socket and its port.
    static func listen(_ address: String) throws -> (descriptor: Int32, port: UInt16) {
        let isIPv6 = address.contains(":")
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            // As in takeConnection(_:).
            let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)
        var storage = sockaddr_storage()
        let length = withUnsafeMutablePointer(to: &storage) { pointer -> socklen_t in
            if isIPv6 {
                return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    $0.pointee.sin6_family = sa_family_t(AF_INET6)
                    inet_pton(AF_INET6, address, &$0.pointee.sin6_addr)
                    return socklen_t(MemoryLayout<sockaddr_in6>.size)
                }
            }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                $0.pointee.sin_family = sa_family_t(AF_INET)
                inet_pton(AF_INET, address, &$0.pointee.sin_addr)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            }
        }
        let port = withUnsafeMutablePointer(to: &storage) { pointer -> UInt16? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                guard descriptor >= 0, bind(descriptor, $0, length) == 0, Foundation.listen(descriptor, 64) == 0,
                    getsockname(descriptor, $0, &size) == 0
                else { return nil }
                // The port stands at the same place in both kinds of address.
                return $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        guard let port else {
            if descriptor >= 0 { close(descriptor) }
            throw POSIXError(.EADDRNOTAVAIL)
        }
        return (descriptor, port)
    }

    /// Takes the next connection; negative when there will be none.
    static func takeConnection(_ listener: Int32) -> Int32 {
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, -1)
        // A server that a test starts must not inherit it: it would stay open for as long as that runs.
        return RunningProcess.whileNoneStarts {
            let connection = accept(listener, nil, nil)
            if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
            return connection
        }
    }

    /// Wakes whatever waits on a socket.
    static func shutDown(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits for a request without a body.
    func receiveRequest() -> (method: String, path: String, headers: [String: String])? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let index = pending.indices.first(where: { pending[$0...].starts(with: end) }) {
                let text = String(decoding: pending[..<index], as: UTF8.self)
                pending.removeFirst(index + end.count)
                let lines = text.components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ")
                guard words.count == 3 else { return nil }
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { continue }
                    headers[line[..<colon].lowercased()] =
                        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                }
                return (String(words[0]), String(words[1]), headers)
            }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &room, room.count, 0)
            guard count > 0 else { return nil }
            pending += room[..<count]
            guard pending[0] >= 0x20 else { return nil }  // TLS, not HTTP
        }
    }

    /// - Returns: Whether all of it went out.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress! + sent, $0.count - sent, flags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// - Returns: Whether the other end is still there after so long.
    func sleep(_ duration: Duration) -> Bool {
        guard duration > .zero else { return true }
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Nothing is sent to us in mid-answer: what there is to read then is the end.
        return poll(&entry, 1, Int32(milliseconds)) == 0
    }

    /// Waits until the other end hangs up.
    func waitForEnd() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, -1)
        return false
    }
}
