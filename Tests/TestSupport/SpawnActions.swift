import Foundation

/// What `posix_spawn` does between the fork and the new program.
struct SpawnActions {
    #if os(Linux)
        private var actions = posix_spawn_file_actions_t()
        private var attributes = posix_spawnattr_t()
    #else
        private var actions: posix_spawn_file_actions_t?
        private var attributes: posix_spawnattr_t?
    #endif

    init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        // A command starts as a shell would start it, whatever this process ignores or blocks.
        var none = sigset_t()
        sigemptyset(&none)
        var reset = sigset_t()
        sigemptyset(&reset)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&reset, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &reset)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    }

    mutating func redirect(_ descriptor: Int32, to source: Int32) {
        posix_spawn_file_actions_adddup2(&actions, source, descriptor)
    }

    mutating func open(_ path: String, as descriptor: Int32) {
        posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
    }

    /// - Parameter folder: Where the command runs. A shell changes to it, as not every system's `posix_spawn` can.
    mutating func spawn(
        _ command: String, _ arguments: [String], environment: [String: String], in folder: String?
    ) throws -> pid_t {
        let change = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        let line = change + [command] + arguments
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
        words.append(nil)
        variables.append(nil)
        defer { for text in words + variables { Foundation.free(text) } }
        var identifier: pid_t = 0
        let status = posix_spawnp(&identifier, line[0], &actions, &attributes, words, variables)
        guard status == 0 else { throw ProcessError(starting: line[0], errno: status) }
        return identifier
    }

    mutating func free() {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
}
