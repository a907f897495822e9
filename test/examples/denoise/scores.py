"""How good a denoised signal is.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np


def snr(signal, clean):
    """Power of the clean signal over that of the difference to it, in dB."""
    return 10 * np.log10(np.sum(np.square(clean)) / np.sum(np.square(signal - clean)))


def si_sdr(signal, clean):
    """The same without regard to the loudness of the signal: scale-invariant signal-to-distortion ratio."""
    signal, clean = signal - np.mean(signal), clean - np.mean(clean)
    target = clean * (np.dot(signal, clean) / np.dot(clean, clean))
    return 10 * np.log10(np.sum(np.square(target)) / np.sum(np.square(signal - target)))
