"""Models of PyTorch with Fourier transforms, exported with tools/torch: torch_models.py FOLDER

Runs in an environment with tools/torch/requirements.txt. Writes NAME.onnx, NAME.x.npy and NAME.y.npy: what PyTorch makes
of x.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
import warnings
from pathlib import Path

import numpy
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/torch"))

import modelc_torch  # noqa: E402


class Masked(torch.nn.Module):
    """As speech enhancement is written: magnitudes, a recurrent layer, a mask; as long as the input; causal padding."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(48))
        self.memory = torch.nn.GRU(33, 8, batch_first=True)
        self.gains = torch.nn.Linear(8, 33)

    def forward(self, x):
        spectrum = torch.stft(x, 64, 32, 48, window=self.window, pad_mode="constant", return_complex=True)
        gains = torch.sigmoid(self.gains(self.memory(spectrum.abs().transpose(1, 2))[0]))
        return torch.istft(spectrum * gains.transpose(1, 2), 64, 32, 48, window=self.window, length=x.shape[-1])


class Defaults(torch.nn.Module):
    """The methods, no window, reflection, an odd number of points, two signals."""

    def forward(self, x):
        spectrum = x.stft(75, normalized=True, return_complex=True)
        return (spectrum * 0.5).istft(75, normalized=True)


class TwoSided(torch.nn.Module):
    """All bins, frames that are not centred, pairs, a length that is given."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hamming_window(40))

    def forward(self, x):
        options = {"window": self.window, "center": False, "onesided": False}
        pairs = torch.view_as_real(torch.stft(x, 40, 10, return_complex=True, **options))
        pairs = pairs * torch.tanh(pairs.square().sum(-1, keepdim=True))
        return torch.istft(torch.view_as_complex(pairs), 40, 10, length=333, **options)


class Replicated(torch.nn.Module):
    """The spectrum alone, of a window in the type of the signal."""

    def forward(self, x):
        window = torch.hann_window(128, dtype=torch.float64)
        return torch.view_as_real(torch.stft(x, 128, 48, window=window, pad_mode="replicate", return_complex=True))


CASES = {
    "masked": (Masked, (1, 331), torch.float32, True),
    "defaults": (Defaults, (2, 400), torch.float32, False),
    "two_sided": (TwoSided, (1, 330), torch.float32, False),
    "replicated": (Replicated, (1, 500), torch.float64, False),
}


def main() -> None:
    warnings.simplefilter("ignore")
    directory = Path(sys.argv[1])
    for name, (build, shape, dtype, is_open) in CASES.items():
        torch.manual_seed(1)
        model = build().eval()
        x = torch.randn(shape, dtype=dtype)
        numpy.save(directory / f"{name}.x.npy", x.numpy())
        numpy.save(directory / f"{name}.y.npy", model(x).detach().numpy())
        time = ({1: torch.export.Dim("time", min=64)},) if is_open else None
        modelc_torch.export(
            model, (x,), directory / f"{name}.onnx", input_names=["x"], output_names=["y"], dynamic_shapes=time,
            verbose=False,
        )


if __name__ == "__main__":
    main()
