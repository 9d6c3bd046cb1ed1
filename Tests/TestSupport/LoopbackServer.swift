import Foundation
import Synchronization

/// An HTTP/1.1 server for tests: on this machine only, and able to misbehave as its resources say.
///
/// A thread takes connections, and each connection has a thread of its own. Keeps connections alive, and a log.
public final class LoopbackServer: Sendable {
    /// A request that came in, and what was done about it.
    public struct Exchange: Sendable {
        public var method: String
        public var path: String
        /// By names in lower case.
        public var headers: [String: String]
        /// The connection that it came on, from 1.
        public var connection: Int
        public var status = 0
        /// Bytes of the body that were given to the socket.
        public var bytesSent: Int64 = 0

        public var range: String? { headers["range"] }
    }

    /// Where the server listens: `127.0.0.1`, `127.0.0.2` or `::1`, …
    public let address: String
    public let port: UInt16
    private let resource: @Sendable (String) -> LoopbackResource?
    private let sockets = OpenSockets()
    private let state = Mutex(State())

    private struct State {
        var log: [Exchange] = []
        var connections = 0
        var requestsByPath: [String: Int] = [:]
    }

    /// Starts to listen, on a free port.
    ///
    /// - Parameter resources: What there is, by path. A path that isn't listed is answered with 404.
    public convenience init(address: String = "127.0.0.1", _ resources: [String: LoopbackResource]) throws {
        try self.init(address: address) { target in resources[String(target.prefix { $0 != "?" })] }
    }

    /// The same for what changes with time.
    ///
    /// - Parameter resource: What there is under a path, with its query, when it is asked for; `nil` for 404. It may
    ///   wait, on a thread of the connection's own.
    public init(address: String = "127.0.0.1", resource: @escaping @Sendable (String) -> LoopbackResource?) throws {
        self.address = address
        self.resource = resource
        let listener: Int32
        (listener, port) = try LoopbackSocket.listen(address)
        _ = sockets.add(listener)
        let (sockets, server) = (sockets, Weak(self))
        Thread.detachNewThread {
            while true {
                let connection = LoopbackSocket.takeConnection(listener)
                guard connection >= 0, sockets.add(connection) else { break }
                guard let server = server.value else {
                    sockets.end(connection)
                    break
                }
                server.take(connection)
            }
            sockets.end(listener)
        }
    }

    deinit { stop() }

    /// Ends the server and its connections.
    public func stop() { sockets.stop() }

    public func url(_ path: String, user: String = "") -> String {
        "http://\(user)\(address.contains(":") ? "[\(address)]" : address):\(port)\(path)"
    }

    /// The requests so far, in the order in which they came.
    public var log: [Exchange] { state.withLock { $0.log } }
    /// Connections taken so far.
    public var connections: Int { state.withLock { $0.connections } }
    /// Bytes of bodies given to sockets so far.
    public var bytesSent: Int64 { log.reduce(0) { $0 + $1.bytesSent } }

    // MARK: Serving

    private func take(_ socket: Int32) {
        let number = state.withLock { state in
            state.connections += 1
            return state.connections
        }
        let (sockets, server) = (sockets, Weak(self))
        Thread.detachNewThread {
            let connection = LoopbackSocket(descriptor: socket)
            while let (method, path, headers) = connection.receiveRequest() {
                guard let server = server.value else { break }
                guard server.answer(method, path, headers, on: connection, number: number) else { break }
            }
            sockets.end(socket)
        }
    }

    /// - Returns: Whether the connection lives on.
    private func answer(
        _ method: String, _ path: String, _ headers: [String: String], on connection: LoopbackSocket, number: Int
    ) -> Bool {
        let name = String(path.prefix { $0 != "?" })
        let (entry, count) = state.withLock { state -> (Int, Int) in
            state.log.append(Exchange(method: method, path: path, headers: headers, connection: number))
            let count = state.requestsByPath[name, default: 0]
            state.requestsByPath[name] = count + 1
            return (state.log.count - 1, count)
        }
        var resource = resource(path) ?? .status(404)
        let cookies = headers["cookie"]?.components(separatedBy: "; ") ?? []
        if let needed = resource.neededCookie, !cookies.contains(needed) { resource = .status(403) }
        let answer = LoopbackAnswer(resource, range: headers["range"], requestsBefore: count)
        state.withLock { $0.log[entry].status = answer.status }
        guard connection.sleep(resource.delay), connection.send(Array(answer.head.utf8)) else { return false }
        return answer.sendBody(on: connection) { sent in
            state.withLock { $0.log[entry].bytesSent += sent }
        }
    }
}

/// The sockets of a server. Threads of its own close them, and whoever ends the server shuts them down: never one that is
/// closed, for its number may be somebody else's by then.
private final class OpenSockets: Sendable {
    private let state = Mutex((open: Set<Int32>(), isStopped: false))

    /// - Returns: False where the server has ended: the socket is closed then.
    func add(_ socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else {
                close(socket)
                return false
            }
            state.open.insert(socket)
            return true
        }
    }

    func end(_ socket: Int32) {
        state.withLock { state in
            state.open.remove(socket)
            close(socket)
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            for socket in state.open { LoopbackSocket.shutDown(socket) }
        }
    }
}

/// Lets threads end when nobody holds the server any more.
private struct Weak: Sendable {
    weak let value: LoopbackServer?
    init(_ value: LoopbackServer) { self.value = value }
}
