#!/usr/bin/env python3
"""Writes a WAV file with sentences of a speech synthesizer between silence and noise.

usage: make_speech.py OUT.wav

16-bit mono PCM at 16 kHz; the same bytes on every run with one version of
espeak-ng.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from speech import RATE, speak, write_wav  # noqa: E402

SENTENCES = (
    "A compiler turns a trained model into a library.",
    "It needs no memory but what the caller gives it.",
    "This sentence is spoken while a fan is running.",
)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_speech.py OUT.wav")
    random = np.random.default_rng(1)

    def noise(seconds, level):
        return level * random.standard_normal(int(seconds * RATE))

    def silence(seconds):
        return np.zeros(int(seconds * RATE))

    first, second, third = (speak(sentence) for sentence in SENTENCES)
    signal = np.concatenate([
        silence(1.0), first,
        noise(1.5, 0.003), second,
        noise(1.0, 0.02), third + noise(len(third) / RATE, 0.02)[: len(third)], noise(1.0, 0.02),
        silence(1.0),
    ])
    write_wav(sys.argv[1], signal)


if __name__ == "__main__":
    main()
