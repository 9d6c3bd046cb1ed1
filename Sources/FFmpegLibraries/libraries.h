// Empty: this system library asks pkg-config where FFmpeg is; CFFmpeg names its headers and links it.
