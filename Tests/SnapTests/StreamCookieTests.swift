import Snap
import SnapBase
import TestSupport
import Testing

/// Streams whose segments are for those who got a cookie with the playlist.
@Suite("Cookies of streams")
struct StreamCookieTests {
    private func resources(_ cookie: String = "pass=s3cret; Path=/; HttpOnly") throws -> [String: LoopbackResource] {
        var resources = try StreamLadder(isMP4: true).resources
        for (path, resource) in resources {
            resources[path] = resource.with {
                if path == "/master.m3u8" {
                    $0.fields = ["Set-Cookie: \(cookie)"]
                } else {
                    $0.neededCookie = "pass=s3cret"
                }
            }
        }
        return resources
    }

    @Test("The cookie that came with the playlist lets into its segments")
    func signed() throws {
        let server = try LoopbackServer(try resources())
        let taken = try snapshot(of: .url(server.url("/master.m3u8")), at: .seconds(3))
        #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
        #expect(server.log.count == 4 && server.connections == 1)
    }

    @Test("Another host never sees it, and the error holds no secret", arguments: ["127.0.0.1", "localhost"])
    func elsewhere(_ host: String) throws {
        let away = try LoopbackServer(try resources())
        let list = "#EXTM3U\n#EXTINF:2,\nhttp://\(host):\(away.port)/small-0.m4s?token=s3cret\n#EXT-X-ENDLIST"
        let server = try LoopbackServer([
            "/list.m3u8": LoopbackResource(Array(list.utf8)).with {
                $0.fields = ["Set-Cookie: pass=s3cret; Path=/", "Set-Cookie: wide=s3cret; Path=/; Domain=\(host)"]
            }
        ])
        let error = try #require(failure(of: .url(server.url("/list.m3u8"))))
        #expect(error.code == .network && error.message.contains("403") && !error.description.contains("s3cret"))
        #expect(away.log.count == 1 && away.log.allSatisfy { $0.headers["cookie"] == nil })
    }
}
