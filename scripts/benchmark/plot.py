"""Drawings for the pages, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH = 860
LABELS = 330
LINE = 22
MOST = 8.0


def bars(title: str, groups: Mapping[str, Sequence[tuple[str, float]]]) -> str:
    """A bar for each value, in groups with a name, and a line at 1: up to there the other is the faster one."""
    scale = (WIDTH - LABELS - 70) / MOST
    one = LABELS + scale
    parts: list[str] = []
    y = 50
    for group, values in groups.items():
        parts.append(f'<text x="10" y="{y + 15}" class="group">{escape(group)}</text>')
        for name, value in values:
            length = min(value, MOST) * scale
            colour = "#3b7dd8" if value >= 1 else "#c0392b"
            parts.append(f'<text x="{LABELS - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
            parts.append(f'<rect x="{LABELS}" y="{y + 3}" width="{length:.1f}" height="{LINE - 6}" fill="{colour}"/>')
            parts.append(f'<text x="{LABELS + length + 6:.1f}" y="{y + 15}">{value:.1f}x</text>')
            y += LINE
        y += 8
    height = y + 10
    style = "text{font:13px sans-serif;fill:#222}.group{font-weight:bold}.title{font:bold 16px sans-serif}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">\n'
        f"<style>{style}</style>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        f'<text x="10" y="28" class="title">{escape(title)}</text>\n'
        + "\n".join(parts)
        + f'\n<line x1="{one:.1f}" y1="44" x2="{one:.1f}" y2="{height - 8}" stroke="#222" stroke-dasharray="4 3"/>'
        + "\n</svg>\n"
    )
