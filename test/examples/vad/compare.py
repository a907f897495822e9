#!/usr/bin/env python3
"""Compares the probabilities of the compiled programs with one another and with onnxruntime.

usage: compare.py MODEL.onnx SPEECH.wav HOST.txt OTHER.txt

Fails if the programs differ by more than 1e-5, or from onnxruntime by more
than 1e-4.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import wave

import numpy as np
import onnxruntime

CONTEXT, CHUNK = 64, 512


def reference(model, path):
    """The probability of speech in each chunk, by onnxruntime."""
    with wave.open(path) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    chunks = -(-len(samples) // CHUNK)
    samples = np.pad(samples, (CONTEXT, chunks * CHUNK - len(samples)))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    state = np.zeros((2, 1, 128), np.float32)
    result = []
    for i in range(chunks):
        window = samples[None, i * CHUNK : i * CHUNK + CONTEXT + CHUNK]
        feed = {"input": window, "state": state, "sr": np.array(16000, np.int64)}
        output, state = session.run(["output", "stateN"], feed)
        result.append(output.item())
    return np.array(result)


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: compare.py MODEL.onnx SPEECH.wav HOST.txt OTHER.txt")
    host, other = np.loadtxt(sys.argv[3]), np.loadtxt(sys.argv[4])
    truth = reference(sys.argv[1], sys.argv[2])
    between = np.abs(host - other).max()
    beyond = np.abs(host - truth).max()
    print(f"  largest difference: between the two programs {between:.1e}, to onnxruntime {beyond:.1e}")
    # Written so that NaN fails.
    sys.exit(0 if between <= 1e-5 and beyond <= 1e-4 else 1)


if __name__ == "__main__":
    main()
