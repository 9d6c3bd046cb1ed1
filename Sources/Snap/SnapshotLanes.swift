import SnapBase
import SnapMedia

/// Decodes groups of pictures of one file side by side, each group on a core of its own.
///
/// Threads of one decoder wait for each other, and readers of different groups don't. So many pictures of a file are taken by
/// several readers where the container tells which group each is in.
final class SnapshotLanes {
    typealias Planned = Snapshots.Iterator.Planned

    /// Pictures that are found before their turn wait in memory: groups of more are taken one picture after the other.
    private static let mostInGroup = 4
    /// How many bytes of pictures may wait, about.
    private static let mostBytes = Double(256 << 20)
    /// Below that, opening a long film again takes as long as it saves.
    private static let fewestGroups = 16

    /// The video itself, and others that are being opened.
    private let lanes: [Task<Video?, Never>]
    private let video: Video
    private var handedOut = 0
    /// The group that the video itself decodes, because too much of it would wait; all of it, to decode it once.
    private var leftToVideo: Int?
    /// Groups at work, the next one first.
    private var tasks: [Task<[Snapshots.Element], Never>] = []
    /// Of the group whose turn it is, the next one last.
    private var found: [Snapshots.Element] = []

    /// - Parameters:
    ///   - plan: What is to be done, the next last.
    ///   - video: The first lane; the others are readers of the same bytes.
    /// - Returns: `nil` where one reader is as good.
    init?(for plan: [Planned], of video: Video) async {
        let groupCount = Set(plan.compactMap(\.group)).count
        let threads = min(video.options.threads ?? DecodingOptions.defaultThreads, 64, groupCount)
        guard threads > 1, groupCount >= Self.fewestGroups,
            let frame = try? await video.run({ reader throws(SnapError) in reader.footage.frameSize })
        else { return nil }
        let pictureSize = plan.map { $0.request.options.byteCount(ofFrame: frame) }.max() ?? 0
        // A group for each, and one that waits.
        let affordable = Self.mostBytes / (Double(Self.mostInGroup) * max(1, pictureSize)) - 1
        let count = min(threads, Int(min(affordable, 64)))
        guard count > 1 else { return nil }
        var options = video.options
        options.threads = 1
        var lanes = [Task<Video?, Never> { video }]
        while lanes.count < count,
            let source = try? await video.run({ reader throws(SnapError) in reader.duplicateSource() })
        {
            lanes.append(Task { [options] in try? await Video(source, options: options) })
        }
        guard lanes.count > 1 else { return nil }
        self.lanes = lanes
        self.video = video
    }

    deinit {
        for task in tasks { task.cancel() }
        for lane in lanes { lane.cancel() }
    }

    /// Takes the next picture of a plan off it and delivers it; `nil` where that is left to the video itself.
    func next(of plan: inout [Planned], isolation: isolated (any Actor)?) async -> Snapshots.Element? {
        handOut(of: &plan)
        if found.isEmpty, !tasks.isEmpty {
            let tasks = tasks
            found = await withTaskCancellationHandler {
                await tasks[0].value
            } onCancel: {
                for task in tasks { task.cancel() }
            }
            found.reverse()
            self.tasks.removeFirst()
            handOut(of: &plan)
        }
        return found.popLast()
    }

    /// Keeps the readers at work: a group for each, and one that waits for the first of them.
    private func handOut(of plan: inout [Planned]) {
        while tasks.count <= lanes.count, !Task.isCancelled {
            guard let next = plan.last?.group, next != leftToVideo else { return }
            let count = plan.reversed().prefix(while: { $0.group == next }).count
            if count > Self.mostInGroup {
                leftToVideo = next
                return
            }
            let group = [Planned](plan.suffix(count).reversed())
            plan.removeLast(count)
            let lane = lanes[handedOut % lanes.count]
            handedOut += 1
            tasks.append(
                Task { [video] in
                    // One that can't be opened a second time was opened once.
                    let video = await lane.value ?? video
                    var elements: [Snapshots.Element] = []
                    for (place, step) in group.enumerated() {
                        elements.append(await step.taken(from: video, next: group.dropFirst(place + 1).first))
                    }
                    return elements
                })
        }
    }
}

extension SnapshotOptions {
    /// About how many bytes the pixels of a picture take.
    fileprivate func byteCount(ofFrame frame: (width: Int, height: Int)) -> Double {
        let (width, height) = (Double(max(1, frame.width)), Double(max(1, frame.height)))
        let shape = max(width, height) / min(width, height)
        let wished =
            switch size {
            case .original: width * height
            case .width(let side), .height(let side): Double(side) * Double(side) * shape
            case .box(let width, let height): Double(width) * Double(height)
            }
        return (upscales ? wished : min(wished, width * height)) * (keepsAlpha || highDynamicRange == .kept ? 8 : 3)
    }
}
