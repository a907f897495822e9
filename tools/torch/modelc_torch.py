"""Exports PyTorch models whose Fourier transforms stay whole: torch.stft and torch.istft become operators of modelc.

ONNX has no inverse STFT, and torch.onnx.export takes torch.stft apart. Here both become one node each, of the domain
`modelc`, with the parameters of the call; everything else is exported as torch.onnx.export does it:

    import modelc_torch
    modelc_torch.export(model, (torch.zeros(1, 16000),), "model.onnx", input_names=["audio"], output_names=["enhanced"],
                        dynamic_shapes=({1: torch.export.Dim("time", min=512)},))

    modelc compile model.onnx --stream audio:1=256 --lookahead any

The model is not changed and needs to know nothing of this: torch.stft, torch.istft and the methods of the same name are
replaced wherever they are called, torchaudio's modules included. Complex tensors may be used in between as far as
torch.onnx knows their operators; torch.view_as_real and arithmetic on pairs always work.

A streamed model needs pad_mode="constant" (or center=False): with torch's default, "reflect", the first frames mirror
samples that a stream has not received yet.

Works with torch 2.9 and later; the tested versions are in requirements.txt.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import onnx
import torch
from torch.overrides import TorchFunctionMode


def export(model, args, path, **options):
    """Writes `model` to `path` as ONNX. `options` are those of torch.onnx.export.

    The file has no traces of the machine that made it: the exporter's notes, which name source files, are left out.
    """
    with SpectralOperators(), torch.no_grad():
        program = torch.onnx.export(model.eval(), args, dynamo=True, **options)
    program.save(path, external_data=False)
    exported = onnx.load(path)
    _remove_notes(exported)
    onnx.save(exported, path)


class SpectralOperators(TorchFunctionMode):
    """While it is entered, torch.stft and torch.istft give the operators' shapes; their values mean nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in (torch.stft, torch.Tensor.stft):
            return _stft(*args, **(kwargs or {}))
        if func in (torch.istft, torch.Tensor.istft):
            return _istft(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def _attributes(n_fft, hop_length, win_length, center, normalized, onesided):
    """Of both operators; what has the default of torch is left to the default of the operator, which is the same."""
    attributes = {"n_fft": n_fft}
    if hop_length is not None:
        attributes["hop_length"] = hop_length
    if win_length is not None:
        attributes["win_length"] = win_length
    for name, value, default in (("center", center, True), ("normalized", normalized, False),
                                 ("onesided", onesided, True)):
        if bool(value) != default:
            attributes[name] = int(bool(value))
    for name, value in attributes.items():
        if not isinstance(value, (int, str)):
            raise TypeError(f"{name} must be known when the model is exported, got {value!r}")
    return attributes


def _node(name, tensor, window, attributes, shape):
    if window is not None and window.is_complex():
        raise TypeError(f"torch.{name.lower()}: expected a window of real numbers")
    inputs = (tensor,) if window is None else (tensor, window)
    return torch.onnx.ops.symbolic(f"modelc::{name}", inputs, attributes, dtype=tensor.dtype, shape=shape, version=1)


def _stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
          normalized=False, onesided=None, return_complex=None, align_to_window=None):
    if input.is_complex():
        raise TypeError("torch.stft: expected a signal of real numbers")
    if align_to_window:
        raise NotImplementedError("torch.stft: align_to_window")
    onesided = True if onesided is None else onesided
    attributes = _attributes(n_fft, hop_length, win_length, center, normalized, onesided)
    if center and pad_mode != "reflect":
        attributes["pad_mode"] = pad_mode
    step = max(n_fft // 4, 1) if hop_length is None else hop_length
    samples = input.shape[-1] + (2 * (n_fft // 2) if center else 0)
    shape = (*input.shape[:-1], n_fft // 2 + 1 if onesided else n_fft, (samples - n_fft) // step + 1, 2)
    pairs = _node("STFT", input, window, attributes, shape)
    return torch.view_as_complex(pairs) if return_complex else pairs


def _istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
           length=None, return_complex=False):
    if return_complex:
        raise NotImplementedError("torch.istft: return_complex")
    onesided = input.shape[-2] != n_fft if onesided is None else onesided
    step = max(n_fft // 4, 1) if hop_length is None else hop_length
    samples = (input.shape[-1] - 1) * step + n_fft
    border = n_fft // 2 if center else 0
    # A length that follows an input cannot be an attribute: all samples, then those that are wanted.
    is_open = length is not None and not isinstance(length, int)
    attributes = _attributes(n_fft, hop_length, win_length, center and not is_open, normalized, onesided)
    if not is_open and length is not None:
        attributes["length"] = length
    if is_open:
        kept = samples
    else:
        kept = samples - 2 * border if length is None else length
    signal = _node("ISTFT", torch.view_as_real(input), window, attributes, (*input.shape[:-2], kept))
    return signal[..., border : border + length] if is_open else signal


def _remove_notes(part):
    """Of a message and all messages in it, weights excepted."""
    for field, value in part.ListFields():
        if field.name in ("doc_string", "metadata_props"):
            part.ClearField(field.name)
        elif field.message_type and field.message_type.name != "TensorProto":
            for inner in value if field.is_repeated else (value,):
                _remove_notes(inner)
    for initializer in getattr(part, "initializer", ()):
        initializer.ClearField("doc_string")
        initializer.ClearField("metadata_props")
