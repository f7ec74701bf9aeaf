#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates positions with the network file by arithmetic of its own, and compares with castled-uci.

  network_reference.py CASTLED_UCI NETWORK

It shares the file's format and the formula with the engine (engine/eval/network_file.h, kernels.h),
but no code: 128 bytes of header, then weights and biases of the features and of three layers, all
little-endian. Positions are those of the bench.
"""
import re
import struct
import subprocess
import sys

QA, QC, QD = 255, 127 * 96, 1024
MEN_MIN = 7  # with fewer, rules of material may count, not the network


def read_network(path):
    with open(path, "rb") as file:
        data = file.read()
    width, flags, buckets = struct.unpack_from("<HBB", data, 20)
    scale, = struct.unpack_from("<i", data, 36)
    kings, rules, products = data[24:27]
    assert data[:8] == b"CASTNNUE" and data[8] == 3 and flags == 1 and rules == 0, "another format"
    active = width // 2 if products else width
    counts = [("h", kings * 768 * width), ("h", width), ("b", buckets * 2 * active * 16), ("i", buckets * 16),
              ("h", buckets * 15 * 32 * 2), ("i", buckets * 32), ("h", buckets * 32)]
    parts, at = [], 128
    for kind, count in counts:
        parts.append(struct.unpack_from(f"<{count}{kind}", data, at))
        at += count * struct.calcsize("<" + kind)
    return width, buckets, scale, kings, active, *parts


def divide(a, b):
    """Towards zero, as C does."""
    return abs(a) // b * (1 if a >= 0 else -1)


def pieces_of(fen):
    rank, file = 7, 0
    for letter in fen.split()[0]:
        if letter == "/":
            rank, file = rank - 1, 0
        elif letter.isdigit():
            file += int(letter)
        else:
            yield "PNBRQK".index(letter.upper()), letter.islower(), 8 * rank + file
            file += 1


def hidden_units(network, pieces, black):
    width, _, _, kings, _, weights, biases = network[:7]
    king = next(square for kind, is_black, square in pieces if kind == 5 and is_black == black)
    flip = (56 if black else 0) ^ (7 if king % 8 >= 4 else 0)
    rank, file = divmod(king ^ flip, 8)
    if kings == 4:
        bucket = 3 if rank > 1 else 2 if rank == 1 else file // 2
    else:
        bucket = 7 if rank > 3 else 6 if rank > 1 else 4 + file // 2 if rank == 1 else file
    units = list(biases)
    for kind, is_black, square in pieces:
        row = (768 * bucket + 384 * (is_black != black) + 64 * kind + (square ^ flip)) * width
        for unit in range(width):
            units[unit] += weights[row + unit]
    return [min(max(unit, 0), QA) for unit in units]


def clamp(value, lowest, highest):
    return min(max(value, lowest), highest)


def evaluate(network, fen):
    width, buckets, scale, _, active, _, _, l1, l1_bias, l2, l2_bias, l3 = network
    pieces = list(pieces_of(fen))
    black = fen.split()[1] == "b"
    bucket = (len(pieces) - 2) // 4 if buckets == 8 else 0
    values = []
    for side in (black, not black):
        units = hidden_units(network, pieces, side)
        values += [(a * b + 256) // 512 for a, b in zip(units[:active], units[width - active:])]
    start = bucket * 2 * active * 16
    neurons = [l1_bias[16 * bucket + k] +
               sum(value * l1[start + (i // 4 * 16 + k) * 4 + i % 4] for i, value in enumerate(values))
               for k in range(16)]
    bent = neurons[:15]
    inputs = [clamp(n, 0, QC) for n in bent] + [clamp(n, -QC, QC) ** 2 // QC for n in bent]
    logit = neurons[15] * QD
    at = bucket * 30 * 32
    for k in range(32):
        neuron = l2_bias[32 * bucket + k] + sum(
            value * l2[at + (i // 2 * 32 + k) * 2 + i % 2] for i, value in enumerate(inputs))
        logit += clamp(divide(neuron, QD), 0, QC) * l3[32 * bucket + k]
    return divide(logit * scale, QC * QD)


def main():
    engine, path = sys.argv[1:]
    network = read_network(path)
    bench = subprocess.run([engine, "bench", "1"], capture_output=True, text=True, check=True).stderr
    fens = [fen for fen in re.findall(r"nodes  (.*)", bench) if len(list(pieces_of(fen))) >= MEN_MIN]
    commands = "".join(f"position fen {fen} 0 1\neval\n" for fen in fens)
    answers = subprocess.run([engine], input=commands + "quit\n", capture_output=True, text=True, check=True).stdout
    told = re.findall(r"static evaluation (-?\d+) cp|in check: (no)", answers)
    assert len(told) == len(fens) >= 30, f"{len(told)} answers to {len(fens)} positions"
    compared = 0
    for fen, (value, in_check) in zip(fens, told):
        if in_check:
            continue
        expected = evaluate(network, fen)
        if int(value) != expected:
            sys.exit(f"{fen}: {value}, by the formula {expected}")
        compared += 1
    assert compared >= 25, f"only {compared} compared"
    print(f"{compared} positions are evaluated as the formula says")


if __name__ == "__main__":
    main()
