"""The videos of the case `telling`: scenes with content and fillers, put one behind the other by lot."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import clips

SECONDS = 3
SIZE = "s=480x270:r=25"
FOOTAGE = Path(__file__).resolve().parents[2].parent / "shared" / "media" / "files"


@dataclass(frozen=True)
class Video:
    path: Path
    scenes: list[str]


@dataclass(frozen=True)
class SceneSet:
    """Scenes by their names, each as a source for ffmpeg, and the lot by which they are put together."""

    name: str
    # Of its folder in the cache.
    folder: str
    content: dict[str, str]
    fillers: dict[str, str]
    seed: int
    count: int

    def videos(self) -> list[Video]:
        folder = clips.cached(self.folder, self._make)
        return [Video(folder / f"{number:02}.mp4", scenes) for number, scenes in enumerate(self._plan())]

    def content_share(self) -> float:
        """How often a frame anywhere has content."""
        plan = self._plan()
        return sum(sum(scene in self.content for scene in scenes) / len(scenes) for scenes in plan) / len(plan)

    def _plan(self) -> list[list[str]]:
        lot = random.Random(self.seed)
        plan = []
        for _ in range(self.count):
            content = lot.sample(sorted(self.content), lot.randint(1, min(3, len(self.content))))
            scenes = content + lot.choices(sorted(self.fillers), k=lot.randint(3, 5))
            lot.shuffle(scenes)
            plan.append(scenes)
        return plan

    def _make(self, folder: Path) -> None:
        scenes = {**self.content, **self.fillers}
        for name, source in scenes.items():
            graph = f"{source},trim=duration={SECONDS},setsar=1,format=yuv420p"
            clips.ffmpeg(["-f", "lavfi", "-i", graph, "-c:v", "ffv1", str(folder / f"{name}.mkv")])
        group = str(clips.GROUP_SECONDS * clips.RATE)
        for number, names in enumerate(self._plan()):
            inputs = [word for name in names for word in ("-i", str(folder / f"{name}.mkv"))]
            join = ["-filter_complex", f"concat=n={len(names)}", *clips.X264, "-g", group]
            clips.ffmpeg([*inputs, *join, str(folder / f"{number:02}.mp4")])
        for name in scenes:
            (folder / f"{name}.mkv").unlink()


RINGS = f"mandelbrot={SIZE}:start_x=-0.743:start_y=0.131:start_scale=0.05:maxiter=400"
TEXT = "lt(mod(floor(X/4)*7+floor(Y/8)*13,11),4)*lt(mod(Y,32),12)*between(X,130,350)"
TUNED = SceneSet(
    "tuned on",
    "telling",
    {
        "rings": RINGS,
        "coast": f"mandelbrot={SIZE}:start_x=0.28:start_y=0.53:start_scale=0.1:maxiter=300,hue=h=140",
        "dusk": f"mandelbrot={SIZE}:start_x=-1.25:start_y=0.02:start_scale=0.05:maxiter=300,hue=h=60,eq=brightness=-0.1",
        "blocks": f"testsrc2={SIZE}",
        "growth": f"life={SIZE}:mold=10:ratio=0.1:death_color=#207040:life_color=#f0e0a0:mold_color=#4060a0,"
        "gblur=sigma=1",
    },
    {
        "black": f"color=black:{SIZE}",
        "white": f"color=white:{SIZE}",
        "grey": f"color=gray:{SIZE}",
        "bars": f"smptebars={SIZE}",
        "credits": f"color=black:{SIZE},format=gray,geq=lum='if({TEXT},235,16)',format=yuv420p",
        "slate": f"color=#103070:{SIZE},drawbox=60:60:360:6:white:fill,drawbox=60:110:250:6:white:fill,"
        "drawbox=60:160:300:6:white:fill",
        "fade": RINGS + ",eq=contrast=0.15:brightness=-0.3",
        "blurred": RINGS + ",gblur=sigma=20",
    },
    seed=11,
    count=40,
)

HILLS = (
    f"color=black:{SIZE},format=yuv444p,"
    "geq=lum='if(gt(Y,140+35*sin(X/60+T)+15*sin(X/23)),70+40*sin(X/3+T)*sin(Y/4),210-Y/2)'"
    ":cb='if(gt(Y,140+35*sin(X/60+T)+15*sin(X/23)),100,165)':cr='if(gt(Y,140+35*sin(X/60+T)+15*sin(X/23)),115,105)'"
)
NEW_FILLERS = {
    "night": f"color=#04050c:{SIZE},noise=alls=4:allf=t",
    "flash": f"color=#f4f4f0:{SIZE}",
    "red": f"color=#801010:{SIZE}",
    "static": f"color=gray:{SIZE},noise=alls=100:allf=t",
    "old bars": f"pal75bars={SIZE}",
    "new bars": f"smptehdbars={SIZE}",
    "gradient": f"gradients={SIZE}:c0=#102040:c1=#406080:nb_colors=2:speed=0.01:seed=5",
    "title": f"color=#501010:{SIZE},drawbox=120:110:240:18:white:fill,drawbox=170:150:140:8:#c0c0c0:fill",
    "page": f"color=white:{SIZE},format=gray,geq=lum='if({TEXT},30,235)',format=yuv420p",
    "logo": f"color=black:{SIZE},format=gray,geq=lum='if(lt(hypot(X-240,Y-135),28),200,16)',format=yuv420p",
    "dip": HILLS + ",eq=contrast=0.15:brightness=-0.35",
    "soft": HILLS + ",gblur=sigma=25",
}
NEW = SceneSet(
    "new, drawn",
    "telling-new",
    {
        "islands": f"mandelbrot={SIZE}:start_x=-0.16:start_y=1.035:start_scale=0.08:maxiter=500,hue=h=220",
        "hills": HILLS,
        "weave": f"color=black:{SIZE},format=yuv444p,geq=lum='128+90*sin(X/7+T)*sin(Y/11)'"
        ":cb='128+60*sin(X/40)':cr='128+60*cos(Y/30+T)'",
        "carpet": f"sierpinski={SIZE}:type=carpet:seed=3",
    },
    NEW_FILLERS,
    seed=2027,
    count=24,
)


def footage() -> SceneSet | None:
    """Films and filmed things between new fillers; None where they are not beside the project."""
    if not FOOTAGE.is_dir():
        return None
    fit = "scale=480:270:force_original_aspect_ratio=increase,crop=480:270,fps=25,setpts=PTS-STARTPTS"
    pieces = {
        "bird": ("androidx-bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4", 0.5),
        "hall": ("torchcodec-nasa_13013.mp4", 6),
        "ship": ("torchcodec-nasa_13013.mp4", 1),
        "bear": ("packager-bear-640x360-trailing-moov.mp4", 0),
    }
    content = {
        name: f"movie={FOOTAGE / file}:seek_point={start},{fit},tpad=stop_mode=clone:stop_duration={SECONDS}"
        for name, (file, start) in pieces.items()
    }
    return SceneSet("new, filmed", "telling-filmed", content, NEW_FILLERS, seed=2028, count=24)
