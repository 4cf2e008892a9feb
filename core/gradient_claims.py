"""The numbers that answer common wrong claims about gradients, each computed here and now."""

from core import activation_ceilings, half_map, path_sums
from core.jacobian_families import Blocks
from core.jacobian_products import last
from core.jacobian_spectrum import measure
from core.multiplier import Chain, log10_plain, log10_residual
from core.numbers import text, text_log10

FRESH, ALTERNATE, SAME = "J₁J₂J₃", "JJᵀJ", "JJJ"
BLOCKS = {
    "no_floor": Blocks("s·G", SAME, 10, -0.5, 0.0, 50, 0),
    "shear": Blocks("s·E", SAME, 2, 0.0, 10.0, 20, 0),
    "radius_zero": Blocks("s·E", ALTERNATE, 2, 0.0, 2.0, 20, 0),
    "hump": Blocks("s·E", SAME, 2, 0.9, 5.0, 50, 0),
    "nilpotent": Blocks("s·N", FRESH, 50, 0.0, 2.0, 50, 0),
    "projections": Blocks("s·P", FRESH, 50, 0.0, 2.0, 50, 0),
    "random": Blocks("s·G", FRESH, 50, 0.0, 1.0, 50, 0),
    "small": Blocks("s·G", FRESH, 50, 0.0, 0.05, 50, 0),
    "rotations": Blocks("s·Q", FRESH, 50, 0.0, 1.0, 50, 0),
}
"""Families of matrices that teach something; most refute a sentence of article 2, section 2."""

NEURONS = {
    "quarter": activation_ceilings.Neurons("sigmoid", 1.0, 0.5, 20),
    "above_one": activation_ceilings.Neurons("sigmoid", 8.0, 0.5, 20),
    "dead": activation_ceilings.Neurons("ReLU", 1.0, -1.0, 20),
}


def values() -> dict[str, dict[str, str]]:
    """Return the numbers in each answer, written out; a claim without numbers has none."""
    random = measure(BLOCKS["random"])
    shear = measure(BLOCKS["shear"])
    deep = Chain(-0.9, 20)
    low, high = half_map.window(1000)
    return {
        "degradation": {"norm": text_log10(round(last(BLOCKS["rotations"], "plain", "high"), 9))},
        "below_one": {
            "near": text_log10(log10_plain(0.99, 50)),
            "middle": text_log10(log10_plain(0.9, 50)),
            "far": text_log10(log10_plain(0.5, 50)),
        },
        "radius_small": {"norm": f"{10 ** last(BLOCKS['radius_zero'], 'plain', 'high'):,.0f}"},
        "radius_large": {"norm": text_log10(last(BLOCKS["projections"], "plain", "high"))},
        "ceiling": {
            "twenty": text_log10(log10_plain(0.25, 20)),
            "fifty": text_log10(log10_plain(0.25, 50)),
            "run": text_log10(activation_ceilings.logarithms(NEURONS["above_one"], False)[-1]),
        },
        "lossless": {"half": text_log10(log10_residual(-0.5, 50))},
        "floor": {
            "nearest": text(random.nearest),
            "percent": text(100 * random.inside),
        },
        "all_small": {
            "product": text_log10(last(BLOCKS["no_floor"], "residual", "high")),
            "least": text(shear.least),
        },
        "main_road": {"product": text_log10(log10_residual(0.5, 1000))},
        "copy": {},
        "thousands": {"low": text(low), "high": text(high)},
        "direct_path": {
            "total": path_sums.findings(deep).total,
            "sizes": path_sums.findings(deep).sizes,
        },
    }
