"""Fourier transforms: torch's STFT and ISTFT, and products with a Fourier basis that become transforms again.

The references are written here, after torch's documentation, in double precision.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy
import onnx

from case import Mismatch
from compiler import compile_model
from native import Rig
from streaming import Graph

TOLERANCE = 2e-6  # of the largest value

Array = numpy.ndarray


def hann(n: int) -> Array:
    return 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(n) / n)


# ---- torch.stft and torch.istft -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Torch:
    """The parameters of torch.stft and torch.istft, with their defaults."""

    n_fft: int
    hop_length: int | None = None
    win_length: int | None = None
    center: bool = True
    pad_mode: str = "reflect"
    normalized: bool = False
    onesided: bool = True
    length: int | None = None

    @property
    def hop(self) -> int:
        return self.hop_length or self.n_fft // 4

    @property
    def width(self) -> int:
        return self.win_length or self.n_fft

    def window(self) -> Array:
        """Not symmetric, so that a reversed one shows."""
        return hann(self.width) + 0.1 * numpy.arange(self.width) / self.width

    def whole_window(self) -> Array:
        before = (self.n_fft - self.width) // 2
        return numpy.pad(self.window(), (before, self.n_fft - self.width - before))

    def stft(self, x: Array) -> Array:
        """[batch, samples] to [batch, bins, frames] of complex numbers."""
        if self.center:
            mode = {"replicate": "edge", "circular": "wrap"}.get(self.pad_mode, self.pad_mode)
            x = numpy.pad(x, ((0, 0), (self.n_fft // 2,) * 2), mode=mode)
        frames = numpy.lib.stride_tricks.sliding_window_view(x, self.n_fft, 1)[:, :: self.hop]
        transform = numpy.fft.rfft if self.onesided else numpy.fft.fft
        scale = self.n_fft**-0.5 if self.normalized else 1
        return transform(frames * self.whole_window()).transpose(0, 2, 1) * scale

    def istft(self, spectrum: Array) -> Array:
        scale = self.n_fft**0.5 if self.normalized else 1
        spectrum = spectrum[:, : self.n_fft // 2 + 1].transpose(0, 2, 1)
        frames = numpy.fft.irfft(spectrum, self.n_fft) * scale * self.whole_window()
        total = numpy.zeros((len(spectrum), (frames.shape[1] - 1) * self.hop + self.n_fft))
        weight = numpy.zeros(total.shape[1])
        for f in range(frames.shape[1]):
            total[:, f * self.hop :][:, : self.n_fft] += frames[:, f]
            weight[f * self.hop :][: self.n_fft] += self.whole_window() ** 2
        total /= numpy.where(weight < 1e-20, 1, weight)
        border = self.n_fft // 2 if self.center else 0
        total = total[:, border : total.shape[1] - (0 if self.length else border)]
        if self.length:
            total = numpy.pad(total[:, : self.length], ((0, 0), (0, max(0, self.length - total.shape[1]))))
        return total

    def attributes(self, operator: str) -> dict:
        names = ["n_fft", "hop_length", "win_length", "center", "normalized", "onesided"]
        names += ["pad_mode"] if operator == "STFT" else ["length"]
        values = {name: getattr(self, name) for name in names}
        values = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
        return {"domain": "modelc", **{name: value for name, value in values.items() if value is not None}}


def pairs(z: Array) -> Array:
    return numpy.stack([z.real, z.imag], -1)


TORCH = (
    Torch(16),
    Torch(64, 16, pad_mode="constant"),
    Torch(64, 24, 40, pad_mode="replicate"),
    Torch(50, 13, 33, pad_mode="circular"),
    Torch(21, 5, center=False),
    Torch(34, 7, 34, normalized=True),
    Torch(48, 12, onesided=False),
    Torch(30, 10, 22, center=False, onesided=False, normalized=True),
    Torch(32, 8, length=130),
    Torch(32, 8, length=180),
    Torch(400, 160, pad_mode="constant"),
)

SAMPLES, BATCH = 481, 2


@dataclass(frozen=True)
class SpectralCase:
    """`build` returns the model's result; `expected` computes it from the input. `recovered`: products that become
    transforms."""

    name: str
    shape: tuple[int, ...]
    build: Callable[[Graph], str]
    expected: Callable[[Array], Array]
    recovered: int = 0


def _torch_cases() -> list[SpectralCase]:
    cases = []
    for number, t in enumerate(TORCH):
        def forward(g: Graph, t: Torch = t) -> str:
            return g.add("STFT", "x", g.constant(t.window(), numpy.float32), **t.attributes("STFT"))

        def inverse(g: Graph, t: Torch = t) -> str:
            return g.add("ISTFT", "x", g.constant(t.window(), numpy.float32), **t.attributes("ISTFT"))

        def both(g: Graph, t: Torch = t) -> str:
            window = g.constant(t.window(), numpy.float32)
            return g.add("ISTFT", g.add("STFT", "x", window, **t.attributes("STFT")), window, **t.attributes("ISTFT"))

        shape = (BATCH, SAMPLES)
        spectrum = pairs(t.stft(numpy.zeros(shape))).shape
        cases.append(SpectralCase(f"stft_{number}", shape, forward, lambda x, t=t: pairs(t.stft(x))))
        # A real signal's: bins that mirror each other agree.
        real = lambda x, t=t: t.istft(x[..., 0] + 1j * x[..., 1])  # noqa: E731
        cases.append(SpectralCase(f"istft_{number}", spectrum, inverse, real))
        cases.append(SpectralCase(f"stft_istft_{number}", shape, both, lambda x, t=t: t.istft(t.stft(x))))
    return cases


# ---- Products with a Fourier basis ----------------------------------------------------------------------------------


def basis(n: int, window: Array, bins: range | None = None) -> tuple[Array, Array]:
    """Rows that yield real and imaginary parts of the bins."""
    turns = numpy.outer(bins or range(n // 2 + 1), numpy.arange(n)) % n
    rows = window * numpy.exp(-2j * numpy.pi * turns / n)
    return rows.real, rows.imag


def inverse_basis(n: int, window: Array) -> tuple[Array, Array]:
    real, imaginary = basis(n, window)
    weight = numpy.full((n // 2 + 1, 1), 2.0)
    weight[0] = 1
    if n % 2 == 0:
        weight[-1] = 1
    return real * weight / n, imaginary * weight / n


def frames_of(x: Array, n: int, step: int) -> Array:
    return numpy.lib.stride_tricks.sliding_window_view(x, n, -1)[..., ::step, :]


def both_parts(g: Graph) -> str:
    """One convolution for both parts, centred frames."""
    rows = numpy.concatenate(basis(64, hann(64)))
    return g.add("Conv", "x", g.constant(rows[:, None], numpy.float32), strides=[16], pads=[32, 32])


def expect_both_parts(x: Array) -> Array:
    frames = frames_of(numpy.pad(x[:, 0], ((0, 0), (32, 32))), 64, 16)
    return numpy.concatenate([frames @ row.T for row in basis(64, hann(64))], -1).transpose(0, 2, 1)


def power_of_two_products(g: Graph) -> str:
    """Two 2-D convolutions, the imaginary part with the other sign and no row for the window, and what is squared."""
    real, imaginary = basis(48, hann(48) + 0.2)
    parts = [
        g.add("Conv", "x", g.constant(rows[:, None, None], numpy.float32), strides=[1, 12])
        for rows in (real, -imaginary)
    ]
    squares = [g.add("Mul", part, part) for part in parts]
    return g.add("Sqrt", g.add("Add", *squares))


def expect_power_of_two_products(x: Array) -> Array:
    frames = frames_of(x[:, 0, 0], 48, 12) * (hann(48) + 0.2)
    return numpy.abs(numpy.fft.rfft(frames)).transpose(0, 2, 1)[:, :, None]


def product_in_turn(g: Graph) -> str:
    """A matrix product with separate frames, real and imaginary parts in turn."""
    rows = numpy.stack(basis(30, hann(30) + 1), 1).reshape(-1, 30)
    return g.add("MatMul", "x", g.constant(rows.T, numpy.float32))


def expect_product_in_turn(x: Array) -> Array:
    return pairs(numpy.fft.rfft(x * (hann(30) + 1))).reshape(*x.shape[:-1], -1)


def product_from_left(g: Graph) -> str:
    """The constant is the left operand; some bins only."""
    rows = numpy.concatenate(basis(64, numpy.ones(64), range(0, 24)))
    return g.add("MatMul", g.constant(rows, numpy.float32), "x")


def expect_product_from_left(x: Array) -> Array:
    rows = numpy.concatenate(basis(64, numpy.ones(64), range(0, 24)))
    return rows @ x


def channels_as_samples(g: Graph) -> str:
    rows = numpy.concatenate(basis(32, hann(32)))
    return g.add("Conv", "x", g.constant(rows[:, :, None], numpy.float32))


def expect_channels_as_samples(x: Array) -> Array:
    return numpy.concatenate(basis(32, hann(32))) @ x


def transposed(g: Graph) -> str:
    rows = numpy.concatenate(inverse_basis(64, hann(64)))
    return g.add("ConvTranspose", "x", g.constant(rows[:, None], numpy.float32), strides=[16], pads=[32, 32])


def added(frames: Array, step: int) -> Array:
    """[batch, frames, samples]"""
    total = numpy.zeros((len(frames), (frames.shape[1] - 1) * step + frames.shape[2]))
    for f in range(frames.shape[1]):
        total[:, f * step :][:, : frames.shape[2]] += frames[:, f]
    return total


def complex_of(x: Array, axis: int) -> Array:
    real, imaginary = numpy.split(x, 2, axis)
    return real + 1j * imaginary


def expect_transposed(x: Array) -> Array:
    frames = numpy.fft.irfft(complex_of(x, 1).transpose(0, 2, 1), 64) * hann(64)
    return added(frames, 16)[:, None, 32:-32]


def transposed_difference(g: Graph) -> str:
    """Two transposed convolutions, of cosines and of sines."""
    real, imaginary = inverse_basis(40, hann(40) + 0.5)
    parts = []
    for number, rows in enumerate((real, -imaginary)):
        part = g.add("Slice", "x", *(g.constant([at]) for at in (21 * number, 21 * number + 21, 1)))
        parts.append(g.add("ConvTranspose", part, g.constant(rows[:, None], numpy.float32), strides=[10]))
    return g.add("Sub", *parts)


def expect_transposed_difference(x: Array) -> Array:
    frames = numpy.fft.irfft(complex_of(x, 1).transpose(0, 2, 1), 40) * (hann(40) + 0.5)
    return added(frames, 10)[:, None]


def inverse_product(g: Graph) -> str:
    rows = numpy.concatenate(inverse_basis(33, hann(33) + 0.5))
    return g.add("MatMul", "x", g.constant(rows, numpy.float32))


def expect_inverse_product(x: Array) -> Array:
    return numpy.fft.irfft(complex_of(x, -1), 33) * (hann(33) + 0.5)


def learned_rows() -> Array:
    noise = numpy.random.default_rng(1).standard_normal((66, 64))
    return numpy.concatenate(basis(64, hann(64))) + 1e-3 * noise


def learned(g: Graph) -> str:
    """Rows that training has moved away from sines stay what they are."""
    return g.add("Conv", "x", g.constant(learned_rows()[:, None], numpy.float32), strides=[16])


def expect_learned(x: Array) -> Array:
    return (frames_of(x[:, 0], 64, 16) @ learned_rows().T).transpose(0, 2, 1)


RECOVERED = (
    SpectralCase("both_parts", (2, 1, 333), both_parts, expect_both_parts, 1),
    SpectralCase("power_of_two_products", (1, 1, 1, 200), power_of_two_products, expect_power_of_two_products, 2),
    SpectralCase("product_in_turn", (3, 5, 30), product_in_turn, expect_product_in_turn, 1),
    SpectralCase("product_from_left", (2, 64, 7), product_from_left, expect_product_from_left, 1),
    SpectralCase("channels_as_samples", (2, 32, 7), channels_as_samples, expect_channels_as_samples, 1),
    SpectralCase("transposed", (2, 66, 9), transposed, expect_transposed, 1),
    SpectralCase("transposed_difference", (1, 42, 6), transposed_difference, expect_transposed_difference, 1),
    SpectralCase("inverse_product", (4, 3, 34), inverse_product, expect_inverse_product, 1),
    SpectralCase("learned", (1, 1, 200), learned, expect_learned, 0),
)

SPECTRAL_CASES = (*_torch_cases(), *RECOVERED)


def check_spectral(modelc: Path, case: SpectralCase, target: str, rig: Rig, directory: Path) -> str:
    """The compiled model beside the reference, and how many products became transforms."""
    directory.mkdir(parents=True, exist_ok=True)
    graph = Graph(case.name)
    path = directory / "model.onnx"
    onnx.save(graph.model(case.shape, case.build(graph)), str(path))
    x = numpy.random.default_rng(len(case.name)).standard_normal(case.shape).astype(numpy.float32)
    program = rig.link(compile_model(modelc, path, target, case.name, directory / "out"))
    got = program.run([{"x": x}])[0]["y"]
    expected = case.expected(x.astype(numpy.float64))
    if got.shape != expected.shape:
        raise Mismatch(f"shape {list(got.shape)}, expected {list(expected.shape)}")
    error = float(numpy.abs(got - expected).max() / numpy.abs(expected).max())
    if not error <= TOLERANCE:
        raise Mismatch(f"error {error:.1e} of the largest value")
    for flags, count in (([], case.recovered), (["--recover-dft=off"], 0)):
        found = _recovered(modelc, path, target, flags)
        if found != count:
            raise Mismatch(f"{found} products became transforms, expected {count} {flags}")
    return f"error {error:.1e}" + (f", {case.recovered} recovered" if case.recovered else "")


def _recovered(modelc: Path, path: Path, target: str, flags: list[str]) -> int:
    command = [str(modelc), "inspect", str(path), "--json", f"--target={target}", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sum("Fourier transforms" in note for note in json.loads(done.stdout)["notes"])
