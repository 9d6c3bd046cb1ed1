#if canImport(Glibc)
    import MallocLibrary
#endif

/// Settings of the C library's allocator, for what decoders do: large buffers, taken and given back picture by picture.
enum Allocator {
    /// For the start of the process, before there is another thread.
    ///
    /// glibc gives each thread an arena of its own, and raises its limit for blocks that are given back to the system to
    /// the largest block freed: pictures and packets then fill the gaps between each other badly. With a fixed limit as
    /// low as 64 KB, every small video pays for its pages anew.
    static func prepare() {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_MMAP_THRESHOLD, 1 << 20)
            mallopt(M_TRIM_THRESHOLD, 16 << 20)
        #endif
    }
}
