"""The papers the lab cites, once. A page names them by key and adds the section or equation."""

from typing import NamedTuple


class Paper(NamedTuple):
    """One paper: who, what, when, and its arXiv number."""

    authors: str
    title: str
    year: int
    arxiv: str

    def __str__(self) -> str:
        """Return the reference as one line of Markdown."""
        link = f"https://arxiv.org/abs/{self.arxiv}"
        return f"{self.authors} ({self.year}). *{self.title}*. [arXiv:{self.arxiv}]({link})"


PAPERS = {
    "he2015": Paper(
        "He, Zhang, Ren, Sun", "Deep Residual Learning for Image Recognition", 2015, "1512.03385"
    ),
    "he2016": Paper(
        "He, Zhang, Ren, Sun", "Identity Mappings in Deep Residual Networks", 2016, "1603.05027"
    ),
    "vaswani2017": Paper("Vaswani et al.", "Attention Is All You Need", 2017, "1706.03762"),
    "xiong2020": Paper(
        "Xiong et al.", "On Layer Normalization in the Transformer Architecture", 2020, "2002.04745"
    ),
    "veit2016": Paper(
        "Veit, Wilber, Belongie",
        "Residual Networks Behave Like Ensembles of Relatively Shallow Networks",
        2016,
        "1605.06431",
    ),
    "de2020": Paper(
        "De, Smith",
        "Batch Normalization Biases Residual Blocks Towards the Identity Function in Deep Networks",
        2020,
        "2002.10444",
    ),
    "hanin2018": Paper(
        "Hanin, Rolnick",
        "How to Start Training: The Effect of Initialization and Architecture",
        2018,
        "1803.01719",
    ),
    "zhang2019": Paper(
        "Zhang, Dauphin, Ma",
        "Fixup Initialization: Residual Learning Without Normalization",
        2019,
        "1901.09321",
    ),
    "bachlechner2020": Paper(
        "Bachlechner et al.",
        "ReZero is All You Need: Fast Convergence at Large Depth",
        2020,
        "2003.04887",
    ),
    "wang2022": Paper(
        "Wang et al.", "DeepNet: Scaling Transformers to 1,000 Layers", 2022, "2203.00555"
    ),
    "liu2020": Paper(
        "Liu et al.", "Understanding the Difficulty of Training Transformers", 2020, "2004.08249"
    ),
    "xiao2018": Paper(
        "Xiao et al.", "Dynamical Isometry and a Mean Field Theory of CNNs", 2018, "1806.05393"
    ),
    "santurkar2018": Paper(
        "Santurkar et al.", "How Does Batch Normalization Help Optimization?", 2018, "1805.11604"
    ),
    "yang2019": Paper(
        "Yang et al.", "A Mean Field Theory of Batch Normalization", 2019, "1902.08129"
    ),
    "he2023": Paper(
        "He B. et al.",
        "Deep Transformers without Shortcuts: Modifying Self-attention for Faithful "
        "Signal Propagation",
        2023,
        "2302.10322",
    ),
    "dong2021": Paper(
        "Dong, Cordonnier, Loukas",
        "Attention is Not All You Need: Pure Attention Loses Rank Doubly Exponentially with Depth",
        2021,
        "2103.03404",
    ),
    "shleifer2021": Paper(
        "Shleifer, Weston, Ott",
        "NormFormer: Improved Transformer Pretraining with Extra Normalization",
        2021,
        "2110.09456",
    ),
    "walsh2024": Paper("Walsh et al.", "2 OLMo 2 Furious", 2024, "2501.00656"),
    "sun2025": Paper(
        "Sun et al.", "The Curse of Depth in Large Language Models", 2025, "2502.05795"
    ),
    "kim2025": Paper(
        "Kim et al.",
        "Peri-LN: Revisiting Normalization Layer in the Transformer Architecture",
        2025,
        "2502.02732",
    ),
}
