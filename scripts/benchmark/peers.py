"""Who takes pictures of files, and how each is told to."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import clips
from race import PICTURES, Entrant
from studies import Copy, Study

THUMBNAIL = 320
LIBRARIES = Path(__file__).with_name("libraries.py")
PYTHON = LIBRARIES.parents[2] / ".build" / "bench-python" / "bin" / "python"
# Of the library: what libraries.py calls it, and its module.
LIBRARY_MODULES = {"PyAV": ("pyav", "av"), "OpenCV": ("opencv", "cv2"), "decord": ("decord", "decord")}

BARE_PROGRAM = """\
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <stdio.h>
#include <jpeglib.h>
int main(void) {
    struct jpeg_error_mgr errors;
    jpeg_std_error(&errors);
    return printf("%u %u %u\\n", avformat_version(), avcodec_version(), swscale_version()) < 0;
}
"""


class Peers:
    """Who else takes pictures here, and how each is told to."""

    def __init__(self, snap: Path, release: Path | None, cores: int, own: Path) -> None:
        self._snap = str(snap)
        self._release = str(release) if release else None
        self._cores = str(cores)
        self.bare = _compiled(own)
        self.static_ffmpeg = _asked("import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())")
        self._has_thumbnailer = shutil.which("ffmpegthumbnailer") is not None
        # What has a path of this machine, and the name that it goes by in the raw numbers.
        self.paths = {str(snap): "snap", str(LIBRARIES): LIBRARIES.name, str(PYTHON): "python", str(own): "bare"}
        if release:
            self.paths[str(release)] = "snap-release"
        if self.static_ffmpeg:
            self.paths[self.static_ffmpeg] = "ffmpeg-static"
        self.libraries = [name for name, (_, module) in LIBRARY_MODULES.items() if _asked(f"import {module}; print(1)")]
        for name in LIBRARY_MODULES:
            if name not in self.libraries:
                print(f"bench: no {name} here: left out", file=sys.stderr)

    def snap(self, video: Study | Copy, at: str, *more: str, width: int | None = THUMBNAIL) -> list[Entrant]:
        size = ["--size", str(width)] if width else []
        return self._snaps([video.file, "--at", at, *size, *more, "-o", f"{PICTURES}/1.jpg"])

    def snap_many(self, video: Study | Copy, times: list[str]) -> list[Entrant]:
        words = [video.file, "--at", ",".join(times), "--size", str(THUMBNAIL)]
        return self._snaps([*words, "-o", PICTURES + "/{index}.jpg", "--quality", "85"])

    def _snaps(self, words: list[str], takes_pictures: bool = True) -> list[Entrant]:
        """That of the checkout, and the release where one was given."""
        found = [Entrant("snap", [self._snap, *words], takes_pictures=takes_pictures)]
        if self._release:
            command = [self._release, *words]
            found.append(Entrant("snap (release)", command, takes_pictures=takes_pictures, is_release=True))
        return found

    def ffmpeg(
        self,
        video: Study | Copy,
        at: str,
        least: float | None = None,
        width: int | None = THUMBNAIL,
        least_of_release: float | None = None,
    ) -> list[Entrant]:
        """That of the system, and the static one where it is."""
        words = ["-nostdin", "-v", "error", "-ss", at, "-i", video.file, *_one_frame(width), f"{PICTURES}/1.jpg"]
        found = [Entrant("ffmpeg", ["ffmpeg", *words], least=least, least_of_release=least_of_release)]
        return [*found, Entrant("ffmpeg (static)", [self.static_ffmpeg, *words])] if self.static_ffmpeg else found

    def ffmpeg_ts(self, video: Copy, at: int, least: float) -> Entrant:
        """In MPEG-TS, ffmpeg's seeking lands on any key frame near: sought two groups before, its decoding is exact."""
        before = 2 * video.study.group // clips.RATE
        seek = ["-ss", str(at - before)] if at > before else []
        command = ["ffmpeg", "-nostdin", "-v", "error", *seek, "-i", video.file, "-ss", str(min(at, before))]
        return Entrant("ffmpeg", [*command, *_one_frame(THUMBNAIL), f"{PICTURES}/1.jpg"], least=least)

    def ffmpeg_key(
        self, video: Study | Copy, at: str, least: float | None = None, least_of_release: float | None = None
    ) -> Entrant:
        seek = ["-skip_frame", "nokey", "-noaccurate_seek", "-ss", at, "-i", video.file, "-fps_mode", "passthrough"]
        command = ["ffmpeg", "-nostdin", "-v", "error", *seek, *_one_frame(THUMBNAIL)]
        command += [f"{PICTURES}/1.jpg"]
        return Entrant("ffmpeg", command, least=least, least_of_release=least_of_release)

    def ffmpeg_many(self, video: Study | Copy, times: list[str], least: float | None = None) -> Entrant:
        # The pictures are named by their times, as xargs has nothing else to tell them apart by.
        each = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-ss", "{}", "-i", video.file]
        command = ["xargs", "-P", self._cores, "-I", "{}", *each, *_one_frame(THUMBNAIL), PICTURES + "/{}.jpg"]
        given, names = "".join(f"{time}\n" for time in times), tuple(f"{time}.jpg" for time in times)
        return Entrant("xargs ffmpeg", command, given=given, least=least, names=names)

    def thumbnailer(
        self, video: Study | Copy, key: int, least: float | None = None, least_of_release: float | None = None
    ) -> list[Entrant]:
        command = ["ffmpegthumbnailer", "-i", video.file, "-o", f"{PICTURES}/1.jpg", "-s", str(THUMBNAIL)]
        command += ["-t", f"00:00:{key:02}"]
        found = Entrant("ffmpegthumbnailer", command, least=least, least_of_release=least_of_release)
        return [found] if self._has_thumbnailer else []

    def each_library(self, video: Study | Copy, times: list[str], least: float | None = None) -> list[Entrant]:
        return [
            Entrant(
                name,
                [str(PYTHON), "-B", str(LIBRARIES), LIBRARY_MODULES[name][0], video.file, "--at", ",".join(times)]
                + ["--rate", str(clips.RATE), "--width", str(THUMBNAIL), "--pictures", PICTURES],
                least=least,
                tells_time=True,
            )
            for name in self.libraries
        ]

    def starts(self) -> list[Entrant]:
        """Those that only say which version they are."""
        found = self._snaps(["--version"], takes_pictures=False)
        if self.bare:
            found.append(Entrant("C program, same libraries", [self.bare], takes_pictures=False))
        found.append(Entrant("ffmpeg", ["ffmpeg", "-version"], takes_pictures=False))
        if self._has_thumbnailer:
            found.append(Entrant("ffmpegthumbnailer", ["ffmpegthumbnailer", "-v"], takes_pictures=False))
        return found

    def versions(self) -> list[str]:
        """Of those that the machine's facts don't tell."""
        found = []
        if self.static_ffmpeg:
            said = subprocess.run([self.static_ffmpeg, "-version"], capture_output=True, text=True, check=False).stdout
            found.append("a static ffmpeg " + said.split()[2])
        if self._has_thumbnailer:
            said = subprocess.run(["ffmpegthumbnailer", "-v"], capture_output=True, text=True, check=False).stdout
            found.append("ffmpegthumbnailer " + said.split("version:")[-1].strip().split("\n")[0])
        for name in self.libraries:
            found.append(f"{name} {_asked(f'import {LIBRARY_MODULES[name][1]} as it; print(it.__version__)')}")
        return found or ["nothing but ffmpeg"]


def _one_frame(width: int | None) -> list[str]:
    scale = ["-vf", f"scale={width}:-2"] if width else []
    return ["-frames:v", "1", *scale, "-y"]


def _compiled(folder: Path) -> str | None:
    """A program that does nothing but load the libraries that snap loads."""
    source, program = folder / "bare.c", folder / "bare"
    source.write_text(BARE_PROGRAM)
    libraries = ["libavformat", "libavcodec", "libswscale", "libavutil", "libjpeg"]
    asking = ["pkg-config", "--cflags", "--libs", *libraries]
    found = subprocess.run(asking, capture_output=True, text=True, check=False)
    compiler = shutil.which("cc") or shutil.which("clang")
    if found.returncode != 0 or not compiler:
        return None
    command = [compiler, "-O2", str(source), "-o", str(program), *found.stdout.split()]
    done = subprocess.run(command, capture_output=True, check=False)
    return str(program) if done.returncode == 0 else None


def _asked(program: str) -> str | None:
    """What a line of Python prints in the environment of the libraries; None where it fails."""
    if not PYTHON.exists():
        return None
    done = subprocess.run([PYTHON, "-c", program], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
