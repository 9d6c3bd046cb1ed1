// Empty: this system library asks pkg-config where libjpeg is; CJPEG names its headers and links it.
