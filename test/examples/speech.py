"""Speech of a synthesizer, and WAV files of 16-bit samples: what the examples make their recordings with.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import io
import subprocess
import wave

import numpy as np

RATE = 16000


def read_wav(source):
    """Samples in -1 .. 1 and their rate; of several channels the first."""
    with wave.open(source) as file:
        if file.getsampwidth() != 2:
            raise ValueError("expected a WAV file of 16-bit samples")
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768.0
        return samples[:: file.getnchannels()], file.getframerate()


def write_wav(path, samples):
    """Mono, 16 bits, RATE."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.clip(np.rint(samples * 32767), -32768, 32767).astype("<i2").tobytes())


def resample(samples, rate):
    """Band-limited resampling to RATE: the spectrum is cut or extended."""
    count = len(samples) * RATE // rate
    spectrum = np.fft.rfft(samples)
    kept = np.zeros(count // 2 + 1, complex)
    shared = min(len(kept), len(spectrum))
    kept[:shared] = spectrum[:shared]
    return np.fft.irfft(kept, count) * (count / len(samples))


def speak(sentence, voice="en-us", speed=150, pitch=50):
    """A sentence with a peak of one half; the same on every run with one version of espeak-ng."""
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdout", sentence]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    # The length in the header of a pipe is a dummy.
    data = data[:40] + (len(data) - 44).to_bytes(4, "little") + data[44:]
    samples = resample(*read_wav(io.BytesIO(data)))
    return 0.5 * samples / max(np.abs(samples).max(), 1e-9)
