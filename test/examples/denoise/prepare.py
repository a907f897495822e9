#!/usr/bin/env python3
"""Lays out the recording of the demo.

usage: prepare.py FOLDER [NOISY.wav [CLEAN.wav]]

Writes FOLDER/noisy.wav, and FOLDER/clean.wav if what is wanted is known. Without a recording: two voices that the
model's training never heard, in four kinds of noise.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
from pathlib import Path

import numpy as np

import material
from material import RATE
from speech import read_wav, resample, speak, write_wav

SPOKEN = (
    ("en-029+f4", 145, 60, "The first sentence is spoken beside a road with heavy traffic."),
    ("lt+m8", 150, 40, "An old machine hums while somebody explains how it works."),
    ("en-us-nyc+f4", 155, 55, "Keys are typed and dishes are moved all the time in this kitchen."),
    ("en-gb-x-gbclan+f4", 150, 45, "The wind outside is as loud as the voice that you hear now."),
)
NOISES = ((material.brown, 0), (material.hum, 5), (material.clicks, 5), (material.wind, 3))


def make():
    """Clean and noisy samples."""
    random = np.random.default_rng(2024)
    clean, noisy = [], []
    for (voice, speed, pitch, sentence), (kind, ratio) in zip(SPOKEN, NOISES):
        speech = np.pad(speak(sentence, voice, speed, pitch), (RATE // 3, RATE // 3)) * 0.6
        noise = material.equalized(random, kind(random, len(speech), None), 3)
        clean.append(speech)
        noisy.append(speech + material.at_ratio(speech, noise, ratio))
    return np.concatenate(clean), np.concatenate(noisy)


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: prepare.py FOLDER [NOISY.wav [CLEAN.wav]]")
    folder = Path(sys.argv[1])
    for name in ("noisy", "clean"):
        (folder / f"{name}.wav").unlink(missing_ok=True)
    if len(sys.argv) == 2:
        clean, noisy = make()
        write_wav(folder / "clean.wav", clean)
        write_wav(folder / "noisy.wav", noisy)
    for name, path in zip(("noisy", "clean"), sys.argv[2:]):
        samples, rate = read_wav(path)
        write_wav(folder / f"{name}.wav", samples if rate == RATE else resample(samples, rate))


if __name__ == "__main__":
    main()
