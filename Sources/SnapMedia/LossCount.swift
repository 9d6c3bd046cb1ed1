import CFFmpeg

/// How often a decoder said that a picture is not what was coded, because something that it needs is missing or broken.
@safe struct LossCount: ~Copyable {
    /// For `AVCodecContext.opaque`, which the contexts of a decoder's threads share; `nil` where nothing is counted.
    let pointer: UnsafeMutableRawPointer? = unsafe cff_loss_count_alloc()

    deinit { unsafe cff_loss_count_free(pointer) }

    /// How often since it was asked last.
    func take() -> Int { unsafe Int(cff_loss_count_take(pointer)) }
}
