#!/usr/bin/env python3
"""Trains the denoiser and writes it as ONNX: audio in, audio out, the Fourier transforms inside.

usage: train.py OUT.onnx [--steps N]

Needs the packages of tools/torch/requirements.txt and espeak-ng; about 15 minutes of one core. The same seed gives the
same model on one version of everything and one kind of processor.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "tools/torch")]

import material  # noqa: E402
import modelc_torch  # noqa: E402
from scores import si_sdr  # noqa: E402

SIZE, STEP, WIDTH = 320, 160, 64  # samples of a frame, samples between frames, units of a layer
BINS = SIZE // 2 + 1


class Denoiser(torch.nn.Module):
    """Two recurrent layers look at the logarithm of the spectrum and choose a gain for each frequency."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(SIZE).sqrt())
        self.front = torch.nn.Linear(BINS, WIDTH)
        self.memory = torch.nn.GRU(WIDTH, WIDTH, num_layers=2, batch_first=True)
        self.gains = torch.nn.Linear(WIDTH, BINS)

    def spectrum(self, audio):
        """[batch, bins, frames, 2]"""
        frames = torch.stft(audio, SIZE, STEP, window=self.window, pad_mode="constant", return_complex=True)
        return torch.view_as_real(frames)

    def enhance(self, spectrum):
        power = spectrum.square().sum(-1).transpose(1, 2)
        features = torch.relu(self.front(torch.log(power + 1e-6) * 0.25 + 1.0))
        gains = torch.sigmoid(self.gains(self.memory(features)[0]))
        return spectrum * gains.transpose(1, 2).unsqueeze(-1)

    def forward(self, audio):
        enhanced = torch.view_as_complex(self.enhance(self.spectrum(audio)))
        return torch.istft(enhanced, SIZE, STEP, window=self.window)


class Material:
    """Random mixtures of clips of speech with noises, all of them made once."""

    def __init__(self, seed, voices, sizes, frames):
        utterances, clips, noises = sizes
        self.random, self.count = np.random.default_rng(seed), frames * STEP
        speech = material.sentences(self.random, voices, utterances)
        self.clips = np.stack([self.clip(speech) for _ in range(clips)])
        count = 2 * self.count
        self.noises = np.stack([material.noise(self.random, count, speech) for _ in range(noises)]).astype(np.float32)

    def clip(self, speech):
        samples = material.stream_of(self.random, speech, self.count)
        samples = material.equalized(self.random, samples, 10)
        if self.random.random() < 0.5:
            samples = material.reverberant(self.random, samples)
        return (samples / material.level(samples)).astype(np.float32)

    def mixture(self):
        """A noisy signal and what is wanted of it."""
        random = self.random
        clean = self.clips[random.integers(len(self.clips))]
        noise = self.noises[random.integers(len(self.noises))]
        start = random.integers(len(noise) - self.count + 1)
        noise = material.at_ratio(clean, noise[start : start + self.count], random.uniform(-5, 20))
        loudness = 10 ** (random.uniform(-42, -16) / 20)
        return (clean + noise) * loudness, clean * loudness

    def batch(self, size):
        pairs = [self.mixture() for _ in range(size)]
        return [torch.tensor(np.stack(signals), dtype=torch.float32) for signals in zip(*pairs)]


def loss_of(network, noisy, clean):
    """Distance of the compressed spectra, as ears compress them, and the ratio of the signals' errors."""
    spectrum, wanted = network.enhance(network.spectrum(noisy)), network.spectrum(clean)
    # Independent of the loudness of the recording.
    scale = wanted.square().mean((1, 2, 3), keepdim=True).sqrt() + 1e-6
    spectrum, wanted = spectrum / scale, wanted / scale
    size = (spectrum.square().sum(-1, keepdim=True) + 1e-6).sqrt()
    aim = (wanted.square().sum(-1, keepdim=True) + 1e-6).sqrt()
    loudness = (size**0.3 - aim**0.3).square().mean()
    shape = (spectrum * size**-0.7 - wanted * aim**-0.7).square().sum(-1).mean()
    error = (spectrum - wanted).square().mean((1, 2, 3)) + 1e-4
    return 7 * loudness + 3 * shape + 0.5 * torch.log10(error).mean()


def train(network, data, steps):
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps, pct_start=0.05)
    start, total = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        loss = loss_of(network, *data.batch(16))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"step {step}: loss {total / 100:.4f}, {time.monotonic() - start:.0f} s", flush=True)
            total = 0.0


def export(network, path):
    modelc_torch.export(network, (torch.zeros(1, 10 * STEP),), path, input_names=["audio"], output_names=["enhanced"],
                        dynamic_shapes=({1: torch.export.Dim("time", min=SIZE)},))


def evaluate(network):
    """SI-SDR of voices and noises that training did not hear."""
    data = Material(99, material.HELD_OUT, (40, 100, 40), 400)
    before, after = [], []
    for _ in range(100):
        noisy, clean = data.mixture()
        with torch.no_grad():
            enhanced = network(torch.tensor(noisy, dtype=torch.float32)[None])[0].numpy()
        before.append(si_sdr(noisy, clean))
        after.append(si_sdr(enhanced, clean))
    gains = np.subtract(after, before)
    print(f"held out: SI-SDR {np.mean(before):.2f} dB before, {np.mean(after):.2f} dB after, gains "
          f"{np.percentile(gains, 10):.2f} to {np.percentile(gains, 90):.2f} dB (10th and 90th of 100)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, metavar="OUT.onnx")
    parser.add_argument("--steps", type=int, default=2000)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    network = Denoiser()
    start = time.monotonic()
    data = Material(1, material.training_voices(), (900, 1800, 300), 256)
    print(f"material: {time.monotonic() - start:.0f} s", flush=True)
    train(network, data, arguments.steps)
    network.eval()
    export(network, arguments.model)
    evaluate(network)


if __name__ == "__main__":
    main()
