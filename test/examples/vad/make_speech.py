#!/usr/bin/env python3
"""Writes a WAV file with sentences of a speech synthesizer between silence and noise.

usage: make_speech.py OUT.wav

16-bit mono PCM at 16 kHz; the same bytes on every run with one version of
espeak-ng.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import io
import subprocess
import sys
import wave

import numpy as np

RATE = 16000
SENTENCES = (
    "A compiler turns a trained model into a library.",
    "It needs no memory but what the caller gives it.",
    "This sentence is spoken while a fan is running.",
)


def read_wav(data):
    """Samples in -1 .. 1, and their rate."""
    with wave.open(io.BytesIO(data)) as file:
        raw = file.readframes(file.getnframes())
        return np.frombuffer(raw, "<i2") / 32768.0, file.getframerate()


def resample(samples, rate):
    """Band-limited resampling to RATE: the spectrum is cut or extended."""
    count = len(samples) * RATE // rate
    spectrum = np.fft.rfft(samples)
    kept = np.zeros(count // 2 + 1, complex)
    shared = min(len(kept), len(spectrum))
    kept[:shared] = spectrum[:shared]
    return np.fft.irfft(kept, count) * (count / len(samples))


def speak(sentence):
    command = ["espeak-ng", "-v", "en-us", "-s", "150", "--stdout", sentence]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    # The length in the header of a pipe is a dummy.
    data = data[:40] + (len(data) - 44).to_bytes(4, "little") + data[44:]
    samples, rate = read_wav(data)
    samples = resample(samples, rate)
    return 0.5 * samples / np.abs(samples).max()


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
    with wave.open(sys.argv[1], "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.clip(np.rint(signal * 32767), -32768, 32767).astype("<i2").tobytes())


if __name__ == "__main__":
    main()
