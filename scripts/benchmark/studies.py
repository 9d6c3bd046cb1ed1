"""The videos of which single frames are taken: one for each codec, size and length. See clips.py for how they look."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import clips


class _Video:
    """What a study and its copies have in common: a name, a container, and a folder of their own."""

    name: str
    container: str

    @property
    def folder(self) -> Path:
        """The folder with the video, which is made when it isn't there."""
        return clips.cached(f"study-{self.name}", self._make)

    @property
    def file(self) -> str:
        return f"{self.name}.{self.container}"


@dataclass(frozen=True)
class Study(_Video):
    """A video of which single frames are taken: `seconds` long, a key frame every `group` frames."""

    name: str
    width: int
    height: int
    seconds: int
    group: int
    coding: tuple[str, ...]
    pixels: str = "yuv420p"
    container: str = "mp4"

    def _make(self, folder: Path) -> None:
        group = ["-g", str(self.group), "-keyint_min", str(self.group)]
        coding = [*self.coding, *group, "-pix_fmt", self.pixels, str(folder / self.file)]
        clips.draw((self.width, self.height), self.seconds, [((self.width, self.height), coding)])


@dataclass(frozen=True)
class Copy(_Video):
    """A study in another container, or many times one behind the other; nothing is coded anew."""

    name: str
    study: Study
    container: str
    times: int = 1

    def _make(self, folder: Path) -> None:
        source = self.study.folder / self.study.file
        clips.ffmpeg(["-stream_loop", str(self.times - 1), "-i", str(source), "-c", "copy", str(folder / self.file)])


X265 = ("-c:v", "libx265", "-preset", "veryfast", "-x265-params", "log-level=error:scenecut=0", "-tag:v", "hvc1")
VP9 = ("-c:v", "libvpx-vp9", "-deadline", "good", "-cpu-used", "5", "-row-mt", "1", "-tile-columns", "2")
AV1 = ("-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", "scd=0")
SMALL = Study("small", 640, 360, 12, 2 * clips.RATE, (*clips.X264, "-b:v", "600k"))
HD = Study("1080p", 1920, 1080, 12, 250, (*clips.X264, "-b:v", "4M"))
UHD = Study("2160p", 3840, 2160, 6, 125, (*clips.X264, "-b:v", "12M"))
HEVC = Study("hevc", 1920, 1080, 12, 250, (*X265, "-b:v", "3M"))
HEVC10 = Study("hevc10", 1920, 1080, 12, 250, (*X265, "-b:v", "3M"), pixels="yuv420p10le")
VP9_SMALL = Study("small-vp9", 640, 360, 12, 2 * clips.RATE, (*VP9, "-b:v", "600k"), container="webm")
AV1_SMALL = Study("small-av1", 640, 360, 12, 2 * clips.RATE, (*AV1, "-b:v", "600k"))
VP9_HD = Study("vp9", 1920, 1080, 12, 250, (*VP9, "-b:v", "3M"), container="webm")
AV1_HD = Study("av1", 1920, 1080, 12, 250, (*AV1, "-b:v", "3M"))
TS = Copy("ts", HD, "ts")
FILM_TIMES = 600
FILM = Copy("film", SMALL, "mp4", FILM_TIMES)
FILM_TS = Copy("film-ts", SMALL, "ts", FILM_TIMES)
