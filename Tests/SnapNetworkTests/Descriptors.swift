import Foundation
import TestSupport

/// How many sockets of this process are connected to a server, by its port: other tests open some of their own.
func clientDescriptors(of server: LoopbackServer) -> Int {
    (0..<4096).count { descriptor in
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(Int32(descriptor), $0, &size) }
        }
        return status == 0 && UInt16(bigEndian: address.sin_port) == server.port
    }
}
