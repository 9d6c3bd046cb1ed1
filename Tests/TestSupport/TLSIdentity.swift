/// A certificate for `localhost` and 127.0.0.1, and the authority of its own that vouches for it, all in PEM.
public struct TLSIdentity: Sendable {
    /// What a client must trust.
    public let authority: [UInt8]
    let certificate: [UInt8]
    let key: [UInt8]

    /// Made once, by the openssl command.
    public static let localhost = Result { try TLSIdentity() }

    private init() throws {
        let folder = try TemporaryDirectory()
        func openssl(_ line: String) throws {
            let words = line.split(separator: " ").map(String.init)
            let result = try ProcessRunner.run("openssl", words, in: folder.path)
            guard result.exitCode == 0 else { throw ProcessError("openssl \(line): \(result.messages)") }
        }
        let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        try openssl("req -x509 \(newKey) -keyout ca.key -out ca.pem -days 2 -subj /CN=snap-test-authority")
        try openssl("req \(newKey) -keyout server.key -out server.csr -subj /CN=localhost")
        try folder.write(Array("subjectAltName=DNS:localhost,IP:127.0.0.1\n".utf8), to: "names")
        try openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile names")
        authority = try folder.read("ca.pem")
        certificate = try folder.read("server.pem")
        key = try folder.read("server.key")
    }
}
