import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// libavformat opens nothing by itself.
@Suite("Files that name other files")
struct SafetyTests {
    /// Files that name a path or URL, each in its own way, and whether nothing else is in them.
    private func hostile(_ target: String) -> [(clip: Clip, isVideo: Bool)] {
        [
            (.externalURL(target), true),  // libavformat looks for the frames in the file itself, where they are
            (.externalAlias(target), false),
            (.concatScript(of: target), false),
            (.disguisedPlaylist(of: target), false),
            (.disguisedManifest(of: target), false),
        ]
    }

    private func check(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (clip, isVideo) in hostile(target) {
            for source in [Source.file(try clip.path()), .bytes(try clip.bytes())] {
                let error = failure(of: source, at: .seconds(1), opening: .oneThread(timeout: .seconds(5)))
                if isVideo {
                    #expect(error == nil, sourceLocation: sourceLocation)
                } else {
                    #expect(
                        error?.code == .notAVideoItself, "\(clip): \(String(describing: error))",
                        sourceLocation: sourceLocation)
                    #expect(error?.exitCode == 65, sourceLocation: sourceLocation)
                }
            }
        }
    }

    @Test("Nothing is fetched from the network")
    func network() throws {
        let server = try LoopbackServer(["/clip.mp4": LoopbackResource(Clip.moovFirst.bytes())])
        try check(server.url("/clip.mp4"))
        #expect(server.connections == 0)
    }

    @Test("No other file is opened")
    func files() throws {
        let folder = try TemporaryDirectory()
        let canary = try NamedPipe(folder.path("canary.mp4"))
        let watch = canary.watch()
        try check(canary.path)
        try check("file:" + canary.path)
        #expect(!watch.wasOpened())
    }

    @Test("The watch on a pipe sees who opens it")
    func watch() throws {
        let folder = try TemporaryDirectory()
        let canary = try NamedPipe(folder.path("canary.mp4"))
        let watch = canary.watch()
        let descriptor = open(canary.path, O_RDONLY | O_NONBLOCK)
        Thread.sleep(forTimeInterval: 0.1)
        close(descriptor)
        #expect(watch.wasOpened())
    }

    @Test("Nor by a session description, or a path that libavformat would take for a pattern")
    func otherWays() throws {
        let server = try LoopbackServer(["/clip.mp4": LoopbackResource(Clip.moovFirst.bytes())])
        let description = """
            v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n\
            m=video \(server.port) TCP/RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n
            """
        #expect(failure(of: .bytes(Array(description.utf8)))?.code == .notAVideoItself)

        let folder = try TemporaryDirectory()
        try folder.write(Clip.moovFirst.bytes(), to: "picture-1.mp4")
        #expect(failure(of: .file(folder.path("picture-%d.mp4")))?.code == .notFound)
        let literal = try folder.write(Clip.moovFirst.bytes(), to: "picture-%03d.mp4")
        #expect(failure(of: .file(literal)) == nil)
        for name in [
            "concat:\(literal)|\(literal)", "file:\(literal)", "subfile,,start,0,end,0,,:\(literal)",
            server.url("/clip.mp4"),
        ] {
            #expect(failure(of: .file(name))?.code == .notFound, "\(name)")
        }
        #expect(server.connections == 0)
    }

    @Test("A remote list reaches nothing either, not even its own server")
    func remoteLists() throws {
        let folder = try TemporaryDirectory()
        let canary = try NamedPipe(folder.path("canary.mp4"))
        let watch = canary.watch()
        for target in [canary.path, "file://" + canary.path, "second.mp4", "http://127.0.0.1:9/x.mp4"] {
            for clip in hostile(target).filter({ !$0.isVideo }).map(\.clip) {
                let server = try LoopbackServer(["/list.mp4": LoopbackResource(clip.bytes())])
                let error = failure(of: .url(server.url("/list.mp4")), opening: .oneThread(timeout: .seconds(5)))
                #expect(error?.code == .notAVideoItself, "\(clip): \(String(describing: error))")
                #expect(Set(server.log.map(\.path)) == ["/list.mp4"])
            }
        }
        #expect(!watch.wasOpened())
    }
}
