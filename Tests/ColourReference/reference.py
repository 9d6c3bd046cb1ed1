#!/usr/bin/env python3
"""Reference values of colour conversion, from the standards' own formulas; nothing but the standard library.

The tests run it, and read what it prints. Each line is a patch: what a video says of itself, its three samples, and what they are in sRGB. `kind` is `inside`
(red, green and blue as bytes with their fractions) or `outside` (sRGB doesn't have the colour: red, green and blue
as linear light, white being 1, some of it below 0 or above 1).

Sources: ITU-T H.273 (matrices, ranges, curves, primaries), ITU-R BT.2100 (PQ, HLG, ICtCp), ITU-R BT.2390 5.4.1
(the tone curve), ITU-R BT.2408 (white at 203 cd/m2), IEC 61966-2-1 (sRGB), SMPTE RP 177 (primaries to XYZ); white
points are adapted as Bradford's matrix says. Where HDR is concerned, the tone curve is applied to the largest of red,
green and blue, and the others follow in proportion.

With --dolby the patches are those of Dolby Vision's own metadata (the composer of ETSI GS CCM 001, the matrices as FFmpeg's
libavutil/dovi_meta.h describes them), which stand in each line as the integers of the bitstream: ycc_to_rgb by 8192,
its offset by 2**28, rgb_to_lms by 16384, the peak as a PQ signal of 12 bits, and three curves with coefficients by 2**23.
A curve is its pivots and its pieces, parted by /; a piece is `p` with a polynomial's coefficients, or `m` with the
constant and seven weights for each power. The last three numbers are signals of BT.2020 by PQ.
"""
import functools
import itertools
import math
import random
import sys

WHITE_D65, WHITE_C, WHITE_DCI = (0.3127, 0.3290), (0.310, 0.316), (0.314, 0.351)
PRIMARIES = {  # H.273, table 2
    "bt709": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), WHITE_D65),
    "bt470m": ((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), WHITE_C),
    "bt470bg": ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), WHITE_D65),
    "smpte170m": ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), WHITE_D65),
    "smpte240m": ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), WHITE_D65),
    "film": ((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), WHITE_C),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), WHITE_D65),
    "smpte431": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), WHITE_DCI),
    "smpte432": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), WHITE_D65),
    "ebu3213": ((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), WHITE_D65),
}
WEIGHTS = {  # H.273, table 4: KR, KB
    "bt709": (0.2126, 0.0722), "fcc": (0.30, 0.11), "bt470bg": (0.299, 0.114), "smpte170m": (0.299, 0.114),
    "smpte240m": (0.212, 0.087), "bt2020nc": (0.2627, 0.0593), "bt2020c": (0.2627, 0.0593),
}
HDR = ("smpte2084", "arib-std-b67")
AS_CODED = ("bt709", "smpte170m", "bt2020-10", "bt2020-12", "iec61966-2-4", "bt1361e", "iec61966-2-1")
PLAIN = ("gamma22", "gamma28", "linear", "log100", "log316", "smpte428", "smpte240m")


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def inverse(m):
    rows = [list(row) + [float(i == j) for j in range(3)] for i, row in enumerate(m)]
    for i in range(3):  # Gauss and Jordan
        pivot = max(range(i, 3), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(3):
            if r != i:
                rows[r] = [v - rows[r][i] * w for v, w in zip(rows[r], rows[i])]
    return [row[3:] for row in rows]


def xyz(point):
    x, y = point
    return [x / y, 1.0, (1 - x - y) / y]


@functools.cache
def to_xyz(name):
    red, green, blue, white = PRIMARIES[name]
    columns = [xyz(red), xyz(green), xyz(blue)]
    matrix = [[columns[j][i] for j in range(3)] for i in range(3)]
    scale = times(inverse(matrix), xyz(white))
    return [[matrix[i][j] * scale[j] for j in range(3)] for i in range(3)]


@functools.cache
def between(source, target):
    bradford = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    old, new = (times(bradford, xyz(PRIMARIES[n][3])) for n in (source, target))
    gain = [[new[i] / old[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    adapt = product(inverse(bradford), product(gain, bradford))
    return product(inverse(to_xyz(target)), product(adapt, to_xyz(source)))


def camera(light):  # H.273, table 3, value 1
    return 4.5 * light if light < 0.018053968510807 else 1.099296826809442 * light**0.45 - 0.099296826809442


def camera_inverse(v):
    return v / 4.5 if v < 4.5 * 0.018053968510807 else ((v + 0.099296826809442) / 1.099296826809442) ** (1 / 0.45)


def camera240_inverse(v):
    return v / 4 if v < 4 * 0.0228 else ((v + 0.1115) / 1.1115) ** (1 / 0.45)


def camera240(light):
    return 4 * light if light < 0.0228 else 1.1115 * light**0.45 - 0.1115


def srgb_light(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def srgb(light):
    light = min(max(light, 0.0), 1.0)
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 4096 * 128, 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32


def pq(nits):
    y = (max(nits, 0.0) / 10000) ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


def pq_nits(v):
    p = v ** (1 / M2)
    return 10000 * (max(p - C1, 0) / (C2 - C3 * p)) ** (1 / M1)


A = 0.17883277
B, C = 1 - 4 * A, 0.5 - A * math.log(4 * A)


def hlg(light):
    return math.sqrt(3 * light) if light <= 1 / 12 else A * math.log(12 * light - B) + C


def hlg_light(v):
    return v * v / 3 if v <= 0.5 else (math.exp((v - C) / A) + B) / 12


def shown(transfer, v):
    """The light that a screen shows for a signal of SDR, white being 1."""
    v = min(max(v, 0.0), 1.0)
    return {
        "gamma22": lambda: v**2.2, "gamma28": lambda: v**2.8, "linear": lambda: v,
        "log100": lambda: 10 ** (2 * (v - 1)) if v > 0 else 0.0,
        "log316": lambda: 10 ** (2.5 * (v - 1)) if v > 0 else 0.0,
        "smpte428": lambda: 52.37 / 48 * v**2.6,
        "smpte240m": lambda: srgb_light(camera(camera240_inverse(v))),
    }.get(transfer, lambda: srgb_light(v))()


def curve(transfer):
    """H.273's curve and its inverse, for luma that is made of light."""
    return {
        "gamma22": (lambda x: x ** (1 / 2.2), lambda v: v**2.2), "gamma28": (lambda x: x ** (1 / 2.8), lambda v: v**2.8),
        "linear": (lambda x: x, lambda v: v), "smpte240m": (camera240, camera240_inverse),
    }.get(transfer, (camera, camera_inverse))


def toned(nits, peak):
    """BT.2390's EETF from `peak` to 203 cd/m2, of which 1 is white."""
    top, most = pq(peak), pq(203) / pq(peak)
    e, knee = pq(nits) / top, 1.5 * most - 0.5
    if e >= knee:
        t = (min(e, 1) - knee) / (1 - knee)
        e = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (-2 * t**3 + 3 * t**2) * most
    return pq_nits(e * top) / 203


LMS = [[1688 / 4096, 2146 / 4096, 262 / 4096], [683 / 4096, 2951 / 4096, 462 / 4096], [99 / 4096, 309 / 4096, 3688 / 4096]]
ICTCP = {
    "smpte2084": [[0.5, 0.5, 0], [6610 / 4096, -13613 / 4096, 7003 / 4096], [17933 / 4096, -17390 / 4096, -543 / 4096]],
    "arib-std-b67": [[0.5, 0.5, 0], [3625 / 4096, -7465 / 4096, 3840 / 4096], [9500 / 4096, -9212 / 4096, -288 / 4096]],
}


def weights(matrix, primaries):
    if matrix.startswith("chroma-derived"):  # H.273, equations 39 to 44
        row = to_xyz(primaries)[1]
        return row[0], row[2]
    return WEIGHTS[matrix]


def to_components(rgb, matrix, primaries, transfer):
    """Coded red, green and blue to luma of 0 to 1 and differences of -0.5 to 0.5."""
    r, g, b = rgb
    if matrix == "gbr":
        return rgb
    if matrix == "ycgco":
        return [0.25 * r + 0.5 * g + 0.25 * b, -0.25 * r + 0.5 * g - 0.25 * b, 0.5 * r - 0.5 * b]
    if matrix == "ictcp":
        light, signal = (pq_nits, pq) if transfer == "smpte2084" else (hlg_light, hlg)
        return times(ICTCP[transfer], [signal(c) for c in times(LMS, [light(v) for v in rgb])])
    kr, kb = weights(matrix, primaries)
    if matrix in ("bt2020c", "chroma-derived-c"):
        signal, light = curve(transfer)
        y = signal(kr * light(r) + (1 - kr - kb) * light(g) + kb * light(b))
        db, dr = b - y, r - y
        return [
            y, db / (2 * (signal(1 - kb) if db <= 0 else 1 - signal(kb))),
            dr / (2 * (signal(1 - kr) if dr <= 0 else 1 - signal(kr))),
        ]
    y = kr * r + (1 - kr - kb) * g + kb * b
    return [y, (b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr))]


def from_components(values, matrix, primaries, transfer):
    y, cb, cr = values
    if matrix == "gbr":
        return values
    if matrix == "ycgco":
        return [y - cb + cr, y + cb, y - cb - cr]
    if matrix == "ictcp":
        light, signal = (pq_nits, pq) if transfer == "smpte2084" else (hlg_light, hlg)
        cones = [light(min(max(c, 0.0), 1.0)) for c in times(inverse(ICTCP[transfer]), values)]
        return [signal(max(c, 0.0)) for c in times(inverse(LMS), cones)]
    kr, kb = weights(matrix, primaries)
    if matrix in ("bt2020c", "chroma-derived-c"):
        signal, light = curve(transfer)
        b = y + cb * 2 * (signal(1 - kb) if cb <= 0 else 1 - signal(kb))
        r = y + cr * 2 * (signal(1 - kr) if cr <= 0 else 1 - signal(kr))
        clear = lambda v: light(min(max(v, 0.0), 1.0))
        return [r, signal(max((clear(y) - kr * clear(r) - kb * clear(b)) / (1 - kr - kb), 0)), b]
    r, b = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return [r, (y - kr * r - kb * b) / (1 - kr - kb), b]


def quantized(values, matrix, full, depth):  # H.273, 8.3
    peak, unit, middle = 2**depth - 1, 2 ** (depth - 8), 2 ** (depth - 1)
    chroma = [0.0, 0.0, 0.0] if matrix == "gbr" else [0.0, middle, middle]
    if full:
        numbers = [v * peak + c for v, c in zip(values, chroma)]
    elif matrix == "gbr":
        numbers = [(219 * v + 16) * unit for v in values]
    else:
        numbers = [(219 * values[0] + 16) * unit] + [(224 * v + 128) * unit for v in values[1:]]
    return [min(max(math.floor(n + 0.5), 0), peak) for n in numbers]


def dequantized(numbers, matrix, full, depth):
    peak, unit, middle = 2**depth - 1, 2 ** (depth - 8), 2 ** (depth - 1)
    if full:
        return [(n - (0 if i == 0 or matrix == "gbr" else middle)) / peak for i, n in enumerate(numbers)]
    return [
        (n / unit - 16) / 219 if i == 0 or matrix == "gbr" else (n / unit - 128) / 224 for i, n in enumerate(numbers)
    ]


def linear_bt709(rgb, primaries, transfer, peak):
    """What is shown, as light of sRGB's primaries, white being 1."""
    rgb = [min(max(v, 0.0), 1.0) for v in rgb]
    if transfer in HDR:
        if transfer == "smpte2084":
            nits = [pq_nits(v) for v in rgb]
        else:
            scene = [hlg_light(v) for v in rgb]
            y = sum(w * s for w, s in zip(to_xyz(primaries)[1], scene))
            nits = [1000 * y**0.2 * s for s in scene] if y > 0 else [0.0] * 3
        most = max(nits)
        factor = toned(most, peak) / most if most > 0 else 0.0
        return times(between(primaries, "bt709"), [n * factor for n in nits])
    return times(between(primaries, "bt709"), [shown(transfer, v) for v in rgb])


BARS = [(1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0)]
PATCHES = [[0.75 * c for c in bar] for bar in BARS]
PATCHES += [[v, v, v] for v in (0.02, 0.1, 0.25, 0.42, 0.58, 0.9, 1.0)]
PATCHES += [[0.62, 0.48, 0.41], [0.3, 0.45, 0.38], [0.22, 0.28, 0.5], [0.55, 0.52, 0.3], [0.7, 0.66, 0.68]]
PATCHES += [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

TRANSFERS = AS_CODED + PLAIN + HDR
DEPTHS = (8, 10, 12, 16)


def suits(matrix, transfer, primaries):
    if matrix == "ictcp":
        return transfer in HDR and primaries == "bt2020"
    if matrix == "bt2020c":
        return transfer in ("bt709", "bt2020-10", "bt2020-12") and primaries == "bt2020"
    if matrix == "chroma-derived-c":
        return transfer in ("bt709", "smpte170m", "gamma22", "gamma28", "linear", "smpte240m")
    return True


MATRICES = list(WEIGHTS) + ["gbr", "ycgco", "ictcp", "chroma-derived-nc", "chroma-derived-c"]


def combinations():
    """Every matrix with every range, depth, transfer and primaries that can go with it."""
    for matrix in MATRICES:
        for full in (False, True):
            for depth in DEPTHS:
                for transfer in TRANSFERS:
                    for primaries in PRIMARIES:
                        if suits(matrix, transfer, primaries):
                            yield matrix, full, depth, transfer, primaries


# H.273's way from light to the cones of Hunt, Pointer and Estevez for white D65, as IPT has it (Ebner and Fairchild, 1998).
CONES = [[0.4002, 0.7076, -0.0808], [-0.2263, 1.1653, 0.0457], [0.0, 0.0, 0.9182]]
UNIT = 2**23
# What profile 5 says of IPT with a crosstalk of 2 %, and what profile 8 says of BT.2020's Y'CbCr in limited range.
IPT = ([8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545], [0, 2**27, 2**27],
       [17081, -349, -349, -349, 17081, -349, -349, -349, 17081])
YCBCR = ([9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0], [2**24, 2**27, 2**27],
         [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962])
# Colours that sRGB has too, by PQ.
MILD = [[0.1, 0.1, 0.1], [0.2, 0.18, 0.17], [0.3, 0.31, 0.35], [0.35, 0.4, 0.38], [0.45, 0.42, 0.4], [0.5, 0.51, 0.46],
        [0.55, 0.55, 0.55], [0.58, 0.56, 0.57], [0.64, 0.62, 0.6]]
PLAIN_CURVE = ([0, 1023], [("p", [0, UNIT])])


def three(numbers, unit):
    return [[numbers[3 * i + j] / unit for j in range(3)] for i in range(3)]


def reshaped(component, samples, curve):
    pivots, pieces = curve
    own = samples[component]
    piece = max(i for i in range(len(pieces)) if i == 0 or own >= pivots[i] / 1024)
    kind, numbers = pieces[piece]
    weights = [n / UNIT for n in numbers]
    if kind == "p":
        value = sum(w * own**k for k, w in enumerate(weights))
    else:
        a, b, c = samples
        terms = [a, b, c, a * b, a * c, b * c, a * b * c]
        value = weights[0] + sum(
            w * terms[k % 7] ** (1 + k // 7) for k, w in enumerate(weights[1:]))
    return min(max(value, 0.0), 1.0)


def dolby_light(codes, video, curves):
    """Linear light of BT.2020 in cd/m2."""
    ycc, neutral, lms = video
    samples = [c / 1024 for c in codes]
    values = [reshaped(i, samples, curves[i]) - neutral[i] / 2**28 for i in range(3)]
    # Curves make 12 bits, of which the largest number is the matrix's 1: 940 of 10 bits becomes white by profile 8's.
    signals = [s * 4096 / 4095 for s in times(three(ycc, 8192), values)]
    cones = times(three(lms, 16384), [pq_nits(min(max(s, 0.0), 1.0)) for s in signals])
    return times(inverse(product(CONES, to_xyz("bt2020"))), cones)


def dolby_codes(rgb, video):
    """What a colour of BT.2020 by PQ is coded as, but for reshaping."""
    ycc, neutral, lms = video
    cones = times(product(CONES, to_xyz("bt2020")), [pq_nits(v) for v in rgb])
    signals = [pq(v) * 4095 / 4096 for v in times(inverse(three(lms, 16384)), cones)]
    values = times(inverse(three(ycc, 8192)), signals)
    return [min(max(math.floor(1024 * (v + n / 2**28) + 0.5), 0), 1023) for v, n in zip(values, neutral)]


def dolby_curves(dice):
    """None, pieces of polynomials, and MMR of each order for chroma: all of them near to no change."""
    integer = lambda low, high: math.floor(UNIT * dice.uniform(low, high))
    yield [PLAIN_CURVE] * 3
    yield [PLAIN_CURVE, ([0, 1023], [("p", [-UNIT // 4, UNIT * 3 // 2])]), ([0, 1023], [("p", [-UNIT // 4, UNIT * 3 // 2])])]
    for count in (3, 8):
        pivots = sorted(dice.sample(range(20, 1000), count - 1))
        pieces = [("p", [integer(-0.01, 0.01), integer(0.95, 1.05), integer(-0.05, 0.05)]) for _ in range(count)]
        yield [([0, *pivots, 1023], pieces), PLAIN_CURVE, PLAIN_CURVE]
    for order in (1, 2, 3):
        def mixed(own):
            weights = [integer(-0.03, 0.03) for _ in range(7 * order)]
            weights[own] += UNIT
            return ("m", [integer(-0.01, 0.01), *weights])
        yield [PLAIN_CURVE, ([0, 1023], [mixed(1)]), ([0, 500, 1023], [mixed(2), ("p", [0, UNIT, 0])])]


def dolby():
    dice = random.Random(2094)
    print("peak,ycc,neutral,lms,first curve,second curve,third curve,first,second,third,kind,red,green,blue,kept red,kept green,kept blue")
    words = lambda numbers: " ".join(map(str, numbers))
    for video in (IPT, YCBCR):
        for curves in dolby_curves(dice):
            signal = dice.choice((2851, 3079, 3696, 4095))
            peak = pq_nits(signal / 4095)
            for patch in MILD + PATCHES[:8]:
                codes = dolby_codes(patch, video)
                nits = dolby_light(codes, video, curves)
                most = max(nits)
                factor = toned(most, peak) / most if most > 0 else 0.0
                light = times(between("bt2020", "bt709"), [n * factor for n in nits])
                is_inside = min(light) >= -1e-4 and max(light) <= 1 + 1e-4
                shown_as = [255 * srgb(v) for v in light] if is_inside else light
                text = ",".join(f"{v:.3f}" if is_inside else f"{v:.6f}" for v in shown_as)
                text += "".join(f",{pq(n):.5f}" for n in nits)
                shapes = ",".join(
                    "/".join([words(pivots), *(f"{kind} {words(numbers)}" for kind, numbers in pieces)])
                    for pivots, pieces in curves)
                numbers = ",".join(words(part) for part in video)
                print(f"{signal},{numbers},{shapes},{','.join(map(str, codes))},"
                      f"{'inside' if is_inside else 'outside'},{text}")


def patches(dice, matrix, full, depth, transfer, primaries):
    """Samples and the R'G'B' that they mean, in an order by chance."""
    for patch in dice.sample(PATCHES, len(PATCHES)):
        numbers = quantized(to_components(patch, matrix, primaries, transfer), matrix, full, depth)
        rgb = from_components(dequantized(numbers, matrix, full, depth), matrix, primaries, transfer)
        if transfer.startswith("log") and any(abs(v) < 0.002 for v in rgb):
            continue  # there the curve jumps from black to its least light
        yield numbers, rgb


def main():
    dice = random.Random(709)
    print("matrix,range,depth,transfer,primaries,peak,first,second,third,kind,red,green,blue")
    for matrix, full, depth, transfer, primaries in combinations():
        peak = dice.choice((600, 1000, 4000, 10000)) if transfer == "smpte2084" else 1000 if transfer in HDR else 0
        for numbers, rgb in itertools.islice(patches(dice, matrix, full, depth, transfer, primaries), 4):
            light = linear_bt709(rgb, primaries, transfer, peak)
            is_inside = min(light) >= -1e-4 and max(light) <= 1 + 1e-4
            shown_as = [255 * srgb(v) for v in light] if is_inside else light
            text = ",".join(f"{v:.3f}" if is_inside else f"{v:.6f}" for v in shown_as)
            names = f"{matrix},{'full' if full else 'limited'},{depth},{transfer},{primaries},{peak}"
            print(f"{names},{','.join(map(str, numbers))},{'inside' if is_inside else 'outside'},{text}")


if __name__ == "__main__":
    dolby() if "--dolby" in sys.argv else main()
