import ArgumentParser

/// What was typed to take pictures; ``PictureOrder`` is what is to be done.
struct TakeCommand: ParsableCommand {
    static let name = "take"

    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: SnapCommand.name,
        abstract: "Take exact pictures out of videos.",
        usage: "snap [<options>] <input> ...",
        discussion: """
            The picture is the frame that a viewer would see at that time, upright and in the right colours, or there \
            is none and a sentence says why. Without a time, it is a frame that represents the video.

            EXAMPLES:
              snap video.mp4                              a representative frame
              snap video.mp4 --at 1.5                     video-00-00-01.500.jpg
              snap video.mp4 --at 1,50%,end-1s --size 320 three pictures, one pass
              snap video.mp4 --every 10s -o 'shots/{stem}-{index:04}.jpg'
              snap video.mp4 --distinct 5                 five that differ
              snap https://example.org/a.mp4 --at 1m30s -o - | display
              snap https://example.org/a.m3u8 --at live   the newest frame of a stream

            OTHER COMMANDS, each with --help:
              snap batch                any number of videos, on all cores
              snap probe                what is in a video
              snap worker               requests and pictures through pipes, for programs

            TIMES:
              1  1.5  90s  1m30s  250ms  1000/60  00:01:30.250
                                        from the first frame, exact
              50%  start  end  end-1.5s of the video's own length
              frame:120                 the 121st frame, counted
              auto                      a representative frame: no black, bars or credits
              live  live-10s            the newest frame of an HLS stream, or before it
              2026-11-20T18:00:00Z      a time of day, in streams that tell it

            NAMES:
              {stem} {name} {dir}       of the video; {name} with its extension,
                                        {dir} of a URL: its host/and/folders;
                                        out/{dir} stays in out
              {index} {time} {ms}       from 1; 00-01-30.250; milliseconds
              {width} {height} {ext}    of the picture
              {index:04} has four digits or more. Write {{ for a brace. A % is a %.

            EXIT CODES:
              0 all taken   1 all of several failed   3 some failed
              64 usage   65 not decodable   66 no such file   73 can't write
              69 network, or a missing decoder   70 a bug in snap   75 timed out
              130, 143 interrupted   141 nobody reads the output
            """,
        version: SnapCommand.version)

    @Argument(
        help: "Files, http:// or https:// URLs, HLS playlists (.m3u8), or - for standard input; each is done in turn.",
        completion: .file())
    var input: [String] = []

    @OptionGroup var options: TypedOptions
}
