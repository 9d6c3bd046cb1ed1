import Foundation
import Synchronization

/// The nginx of the system, for tests against a server that others wrote: files over TLS, on 127.0.0.1 only.
///
/// It runs as this user, with all of its files in a folder of its own, and ends with this object.
public final class NginxServer: Sendable {
    /// An answer that was given.
    public struct Exchange: Sendable {
        /// Its connection's number, which means nothing but which of them are the same.
        public var connection: Int
        /// Which request of its connection it answers, from 1.
        public var place: Int
        /// `HTTP/1.1` or `HTTP/2.0`.
        public var version: String
        public var status: Int
        /// With the head.
        public var bytesSent: Int64
        public var encoding: String?
        public var range: String?
        public var path: String
    }

    private let folder: TemporaryDirectory
    private let process: RunningProcess
    private let port: UInt16
    private let isStopped = Mutex(false)

    /// Starts it, and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - files: What there is, by name.
    ///   - isHTTP2: Whether HTTP/2 is offered; HTTP/1.1 always is.
    public init(_ files: [String: [UInt8]], isHTTP2: Bool) throws {
        let identity = try TLSIdentity.localhost.get()
        let folder = try TemporaryDirectory()
        for (name, bytes) in files { try folder.write(bytes, to: "files/" + name) }
        try folder.write(identity.certificate, to: "server.pem")
        try folder.write(identity.key, to: "server.key")
        try folder.write(identity.authority, to: "authority.pem")
        self.folder = folder
        // Another process may take the port between its being found free and nginx's taking it.
        var attempt = 1
        while true {
            let (listener, free) = try LoopbackSocket.listen("127.0.0.1")
            close(listener)
            try folder.write(Array(Self.configuration(folder.path, port: free, isHTTP2: isHTTP2).utf8), to: "conf")
            let started = try RunningProcess(Self.command, ["-p", folder.path, "-c", folder.path("conf")])
            if let fault = Self.awaitStart(in: folder) {
                started.send(signal: SIGKILL)
                let words = started.wait(limit: 10).messages
                guard attempt < 3 else { throw ProcessError("nginx does not start: \(fault) \(words)") }
                attempt += 1
                try folder.write([], to: "error.log")
                continue
            }
            (process, port) = (started, free)
            return
        }
    }

    deinit { stop() }

    /// Ends the server and its connections.
    public func stop() {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }  // its number may be another process's by then
            isStopped = true
            process.send(signal: SIGTERM)
            _ = process.wait(limit: 10)
        }
    }

    public func url(_ path: String, host: String = "127.0.0.1") -> String { "https://\(host):\(port)\(path)" }

    /// The file of the authority to trust.
    public var authorityFile: String { folder.path("authority.pem") }

    /// Waits until so many answers are through, since nginx writes an answer down after it was given; ends the server;
    /// and returns all answers, in the order in which they ended.
    public func end(afterAnswers count: Int) throws -> [Exchange] {
        let deadline = ContinuousClock.now + Patience.atMost(.seconds(5))
        while try exchanges().count < count, ContinuousClock.now < deadline { usleep(5_000) }
        stop()
        return try exchanges()
    }

    private func exchanges() throws -> [Exchange] {
        String(decoding: try folder.read("access.log"), as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 8, let connection = Int(parts[0]), let place = Int(parts[1]),
                let status = Int(parts[3]), let bytes = Int64(parts[4])
            else { return nil }
            return Exchange(
                connection: connection, place: place, version: parts[2], status: status, bytesSent: bytes,
                encoding: parts[5].isEmpty ? nil : parts[5], range: parts[6].isEmpty ? nil : parts[6], path: parts[7])
        }
    }

    // MARK: Starting

    /// Not in every user's `PATH`.
    private static let command =
        ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "nginx"

    /// nginx writes its number down once its sockets listen.
    ///
    /// - Returns: What it says where it does not start.
    private static func awaitStart(in folder: TemporaryDirectory) -> String? {
        let deadline = ContinuousClock.now + Patience.atMost(.seconds(10))
        while ContinuousClock.now < deadline {
            if let number = try? folder.read("pid"), !number.isEmpty { return nil }
            let log = (try? folder.read("error.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if log.contains("[emerg]") { return log }
            usleep(2_000)
        }
        return "no sign of it."
    }

    /// One process, since it is for one test, and nothing outside the folder.
    private static func configuration(_ folder: String, port: UInt16, isHTTP2: Bool) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/pid;
        error_log \(folder)/error.log;
        events { worker_connections 64; }
        http {
            client_body_temp_path \(folder)/temporary;
            proxy_temp_path \(folder)/temporary;
            fastcgi_temp_path \(folder)/temporary;
            uwsgi_temp_path \(folder)/temporary;
            scgi_temp_path \(folder)/temporary;
            log_format exchange escape=none '$connection\t$connection_requests\t$server_protocol\t$status\t$bytes_sent'
                '\t$sent_http_content_encoding\t$http_range\t$request_uri';
            access_log \(folder)/access.log exchange;
            types {
                application/vnd.apple.mpegurl m3u8;
                video/mp2t ts;
                video/mp4 mp4 m4s;
            }
            gzip on;
            gzip_types application/vnd.apple.mpegurl;
            gzip_min_length 1;
            server {
                listen 127.0.0.1:\(port) ssl\(isHTTP2 ? " http2" : "");
                server_name localhost;
                ssl_certificate server.pem;
                ssl_certificate_key server.key;
                root \(folder)/files;
            }
        }
        """
    }
}
