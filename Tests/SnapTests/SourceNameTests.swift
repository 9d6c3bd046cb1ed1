import Snap
import Testing

@Suite("What a source is called in errors and receipts")
struct SourceNameTests {
    @Test(
        "User and password of a URL are left out, however they are written",
        arguments: [
            ("http://u:SECRET@host/x.mp4", "http://host/x.mp4"), ("https://SECRET@host:80/x", "https://host:80/x"),
            ("http://u:SEC@RET@host/x", "http://host/x"), ("http://u:SECRET@[::1]:80/x", "http://[::1]:80/x"),
            ("http://u:SEC/RET@host/x.mp4", "http://host/x.mp4"), ("http://u:SEC?RET@host/x", "http://host/x"),
            ("http://u:SEC#RET@host/x", "http://host/x"), ("http://u:/SECRET@host/x", "http://host/x"),
            ("http://u:1SEC/RET@host", "http://host"), ("http://u:SEC/RE@T@host", "http://host"),
            ("http:///u:SECRET@host/x", "http://host/x"), ("http://u:123456/SECRET@host/x", "http://host/x"),
            ("ftp://u:SECRET@h/x", "ftp://h/x"), ("s3://key:SEC/RET@bucket/x", "s3://bucket/x"),
            ("http://u:SECRET@\u{301}host/x", "http://\u{301}host/x"),
            (" http://u:SECRET@h/x", " http://h/x"), ("HTTP://u:SECRET@h/x", "HTTP://h/x"),
        ])
    func secrets(_ text: String, _ name: String) { #expect(Source(text).name == name) }

    @Test(
        "Whatever else has an @ stays as it is",
        arguments: [
            "https://host/@user/a@2x.mp4", "http://host:8080/a@b.mp4", "http://[::1]:80/@x", "https://host/?mail=a@b:c",
            "a@b.mp4", "folder:/a@b.mp4", "u:p@host/x.mp4",
        ])
    func others(_ text: String) { #expect(Source(text).name == text) }
}
