#!/usr/bin/env python3
"""Draws the waveform and the probability of speech that each program found.

usage: plot.py SPEECH.wav OUT.png NAME=PROBABILITIES.txt...
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import wave

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

CHUNK = 512


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: plot.py SPEECH.wav OUT.png NAME=PROBABILITIES.txt...")
    with wave.open(sys.argv[1]) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768.0
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(11, 5), layout="constrained")
    top.plot(np.arange(len(samples)) / rate, samples, linewidth=0.4, color="#33658a")
    top.set_ylabel("waveform")
    top.set_ylim(-0.8, 0.8)
    for index, argument in enumerate(sys.argv[3:]):
        name, path = argument.split("=", 1)
        values = np.loadtxt(path)
        time = (np.arange(len(values)) + 1) * CHUNK / rate
        # Curves that coincide stay visible: the later ones are thinner and dashed.
        bottom.plot(time, values, label=name, linewidth=3.0 / (index + 1),
                    linestyle="-" if index == 0 else "--")
    bottom.axhline(0.5, color="gray", linewidth=0.6)
    bottom.set_ylabel("probability of speech")
    bottom.set_xlabel("seconds")
    bottom.set_ylim(-0.03, 1.03)
    bottom.set_xlim(0, len(samples) / rate)
    bottom.legend(loc="upper right")
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
