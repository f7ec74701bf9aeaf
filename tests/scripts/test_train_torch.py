#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/train-torch and castled-train have the same network and loss, and take each other's parameters. Skipped where
PyTorch is not installed.

Usage: test_train_torch.py SCRIPTS_TRAIN_TORCH CASTLED_TRAIN
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import torch  # noqa: F401
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)

SCRIPT, TRAIN = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]


def record(chance, is_first):
    """Both kings and up to thirty others. Many of these positions are not legal, which only the fit of centipawns minds."""
    others = chance.choice((3, 4, 5, 10, 20, 30))
    pieces = [5, 11] + [chance.choice((0, 1, 2, 3, 4, 6, 7, 8, 9, 10) if others > 5 else (0, 6)) for _ in range(others)]
    board = sorted(zip(chance.sample(range(8, 56), len(pieces)), pieces))
    codes = [piece for _, piece in board] + [0] * (32 - len(board))
    packed = bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 32, 2))
    score = 200 * sum(1 if piece < 6 else -1 for piece in pieces) + chance.randrange(-90, 90)
    return struct.pack("<Q16shBBBBH", sum(1 << square for square, _ in board), packed, score, 1,
                       chance.randrange(2) | 2 * is_first, 64, 0, 20)


class TrainTorch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        chance = random.Random(1)
        for name, count in (("a.rec", 10_000), ("b.rec", 40_000)):
            with open(f"{self.folder}/{name}", "wb") as file:
                file.write(b"".join(record(chance, i % 10 == 0) for i in range(count)))

    def run_in_folder(self, *command):
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def trained(self, *options):
        said = self.run_in_folder(TRAIN, "--buckets", "8", "--passes", "0", "--output", "net", *options, "a.rec", "b.rec")
        return float(re.search(r"no pass: validation ([0-9.]+)", said)[1])

    def torched(self, *options):
        said = self.run_in_folder(sys.executable, SCRIPT, "--device", "cpu", "--out", "torch", *options, "a.rec", "b.rec")
        return [float(loss) for loss in re.findall(r"validation ([0-9.]+)", said)]

    def parameters(self, width, active, kings):
        """Random ones, large enough that positions differ."""
        layers = 8 * (16 * 2 * active + 16), 8 * (30 * 32 + 32 + 32)
        sizes = 768 * kings * width + width, *layers
        floats = torch.cat([torch.randn(size, generator=torch.Generator().manual_seed(size)) * deviation
                            for size, deviation in zip(sizes, (0.1, 0.2, 0.3))]).clamp(-1.9, 1.9)
        floats = torch.nn.functional.pad(floats, (0, -len(floats) % 16))
        floats.numpy().astype("<f4").tofile(f"{self.folder}/begin.floats")

    def test_both_have_the_same_loss(self):
        for width, activation, active, kings in ((128, "products", 64, 8), (64, "squares", 64, 4)):
            self.parameters(width, active, kings)
            shape = ["--width", str(width), "--activation", activation, "--king-buckets", str(kings), "--begin", "begin.floats"]
            self.assertAlmostEqual(self.torched(*shape, "--judge")[0], self.trained(*shape), delta=3e-6)

    def test_what_one_learns_the_other_takes(self):
        self.parameters(64, 64, 4)
        shape = ["--width", "64", "--activation", "squares", "--king-buckets", "4"]
        learning = [*shape, "--passes", "1", "--batch", "2048", "--rate", "2000", "--begin"]
        began, after = self.torched(*learning, "begin.floats")
        self.assertLess(after, began)
        self.assertAlmostEqual(self.trained(*shape, "--begin", "torch/net.floats"), after, delta=3e-6)
        again = self.torched(*learning, "torch/net.floats")
        self.assertEqual(len(again), 1)  # the run has ended: nothing is left to do
        self.assertAlmostEqual(again[0], after, delta=3e-6)


if __name__ == "__main__":
    unittest.main()
