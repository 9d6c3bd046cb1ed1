import Snap

let video = try await Video("samples/sunset.mp4")
let snapshot = try await video.snapshot(at: .milliseconds(1500))
try await snapshot.write(to: "thumb.jpg")
print(snapshot.receipt.actual?.time ?? .zero)
