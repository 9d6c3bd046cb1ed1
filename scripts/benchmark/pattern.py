"""Frame numbers drawn into pictures, so that a picture tells which frame it is.

The pattern is that of Tests/TestSupport/FrameNumberPattern.swift: 8 x 5 blocks, black or white; the first and the last
row are fixed, those between hold 16 bits of number and an 8-bit check. It survives lossy coding and scaling.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

COLUMNS = 8
ROWS = 5
TOP = [1, 1, 0, 1, 0, 0, 1, 0]
BOTTOM = [0, 1, 1, 1, 1, 0, 0, 0]
DATA_BITS = COLUMNS * (ROWS - 2)

# What a picture is scaled to before it is read, by averaging: the middle of a block is then a few pixels of its own.
PIXELS_PER_BLOCK = 8


def pictures(count: int) -> Iterator[bytes]:
    """The patterns of frames 0, 1, 2…, each one grey byte per block, to be enlarged without smoothing."""
    for number in range(count):
        yield bytes(255 * bit for bit in _blocks(number))


def read_number(picture: Path) -> int | None:
    """The number in a picture; None when there is none, or it is blurred or torn."""
    numbers = read_numbers(picture)
    return numbers[0] if len(numbers) == 1 else None


def read_numbers(pictures: Path) -> list[int | None]:
    """The numbers in pictures with names as `%04d.jpg`, from 0 on, up to the first that is not there."""
    width, height = COLUMNS * PIXELS_PER_BLOCK, ROWS * PIXELS_PER_BLOCK
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(pictures)]
    command += ["-vf", f"scale={width}:{height}:flags=area", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    pixels = subprocess.run(command, capture_output=True, check=False).stdout
    size = width * height
    return [_read(pixels[start : start + size]) for start in range(0, len(pixels) - size + 1, size)]


def _read(pixels: bytes) -> int | None:
    return _number([_brightness(pixels, index // COLUMNS, index % COLUMNS) for index in range(COLUMNS * ROWS)])


def _blocks(number: int) -> list[int]:
    value = number << 8 | _check(number)
    return TOP + [value >> bit & 1 for bit in reversed(range(DATA_BITS))] + BOTTOM


def _number(brightness: list[float]) -> int | None:
    fixed = list(zip(brightness[:COLUMNS] + brightness[-COLUMNS:], TOP + BOTTOM))
    white = [value for value, bit in fixed if bit]
    black = [value for value, bit in fixed if not bit]
    white_mean, black_mean = sum(white) / len(white), sum(black) / len(black)
    contrast, middle = white_mean - black_mean, (white_mean + black_mean) / 2
    # A block between black and white comes from two pictures mixed.
    if contrast < 48 or any(abs(value - middle) < contrast * 0.15 for value in brightness):
        return None
    value = 0
    for block in brightness[COLUMNS:-COLUMNS]:
        value = value << 1 | (block > middle)
    number = value >> 8
    return number if _blocks(number) == [int(block > middle) for block in brightness] else None


def _brightness(pixels: bytes, row: int, column: int) -> float:
    """The mean of the middle half of a block."""
    quarter = PIXELS_PER_BLOCK // 4
    inner = range(quarter, PIXELS_PER_BLOCK - quarter)
    stride = COLUMNS * PIXELS_PER_BLOCK
    start = row * PIXELS_PER_BLOCK * stride + column * PIXELS_PER_BLOCK
    return sum(pixels[start + y * stride + x] for y in inner for x in inner) / len(inner) ** 2


def _check(number: int) -> int:
    """CRC-8 with the polynomial x^8 + x^2 + x + 1, started so that number 0 is not all black."""
    crc = 0xA5
    for byte in (number >> 8, number & 0xFF):
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07) & 0xFF if crc & 0x80 else crc << 1
    return crc
