import Snap

/// Who gets the pictures of videos, and is told of them.
protocol PictureSink {
    /// The paths that are taken.
    var claimed: ClaimedPaths { get set }

    /// Brings a picture to its place, and tells of it.
    ///
    /// - Throws: ``Console/OutputError`` when nobody can be told any longer.
    mutating func finish(_ picture: FinishedPicture) throws(Console.OutputError)

    /// Tells of a video that can't be opened.
    ///
    /// - Parameter positions: What was asked for, in words.
    mutating func fail(_ error: SnapError, all positions: [String]) throws(Console.OutputError)
}

/// How the work on a picture ended.
struct FinishedPicture: Sendable {
    let job: PictureJob
    /// Its place among all pictures of the video, counted from 0.
    let index: Int
    /// Whether it is the only one of the video.
    let isAlone: Bool
    /// Whether all others of the video have ended.
    let isLast: Bool
    let result: Result<Taken, SnapError>

    enum Taken: Sendable {
        /// An encoded picture that is to be brought to the path in its receipt; to whoever asked, if there is none.
        case picture([UInt8], Receipt)
        /// There was no need to take one.
        case none(Receipt)
    }
}
