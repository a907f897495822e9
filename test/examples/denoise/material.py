"""Noisy speech to train, test and show a denoiser with: sentences of a speech synthesizer, and noises made here.

Everything follows from the seeds, for one version of espeak-ng and numpy.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from speech import RATE, speak  # noqa: E402

WORDS = """a about after again air all along also always an and another any around as ask at away back be because been
before began being below between book both boy but by call came can car carry change children city close come could
country cut day did different do does down each earth eat end enough even every example eye face family far father feet
few find first follow food for form found four from game garden get girl give go good great group grow had hand hard has
have he head hear help her here high him his home house how hundred idea if important in into is it its just keep kind
know land large last later learn leave left letter life light like line list little live long look made make man many
may mean men might mile miss most mother mountain move much music must my name near need never new next night no north
not now number of off often oil old on once one only open or other our out over own page paper part people picture place
plant play point put question quick quiet read really right river run said same saw say school sea second see seem
sentence set she should show side small so some something song soon sound south spell start state still stop story
street study such take talk tell than that the their them then there these they thing think this those thought three
through time to together too took tree try turn two under until up us use very voice walk want was watch water way we
well went were what when where which while white who why will window winter with without word work world would write
year yellow you young your""".split()

LANGUAGES = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "de", "fr-fr", "es", "it", "nl", "pl", "pt-br", "sv",
             "fi", "cs", "ro", "tr", "hu", "id", "da", "nb", "sw", "hr", "sk", "ca")
VARIANTS = ("m1", "m2", "m3", "m4", "m5", "m6", "f1", "f2", "f3", "croak", "Alex", "Andrea", "Andy", "Annie", "Denis",
            "Diogo", "Gene", "Hugo", "Lee", "Marco", "Michael", "Mike", "Pablo", "Paul", "Rob", "belinda", "john",
            "linda", "steph", "victor", "whisper", "klatt", "klatt2", "klatt4")
# Voices that training never hears.
HELD_OUT = ("en-029+m7", "en-029+f4", "et+f5", "lt+m8", "en-us-nyc+f4", "lv+f5", "sl+m7", "en-gb-x-gbclan+f4")


def sentences(random, voices, count):
    """Utterances as 16-bit samples, which take a quarter of the memory."""
    result = []
    for _ in range(count):
        text = " ".join(random.choice(WORDS, random.integers(6, 12)))
        samples = speak(text, random.choice(voices), random.integers(110, 221), random.integers(10, 91))
        result.append(np.rint(samples * 32767).astype(np.int16))
    return result


def training_voices():
    return [f"{language}+{variant}" for language in LANGUAGES for variant in VARIANTS]


def stream_of(random, pool, count):
    """Utterances one after the other, with pauses; begins within one."""
    pieces, left = [], count
    while left > 0:
        samples = random.choice(len(pool))
        samples = pool[samples].astype(np.float64) / 32768
        if not pieces:
            samples = samples[random.integers(len(samples)) // 2 :]
        pieces += [samples, np.zeros(int(RATE * random.choice([0.1, 0.3, 0.8])))]
        left -= len(pieces[-2]) + len(pieces[-1])
    return np.concatenate(pieces)[:count]


def level(samples):
    return np.sqrt(np.mean(np.square(samples)) + 1e-12)


def equalized(random, samples, decibels):
    """Through a smooth random frequency response, as rooms and microphones have it."""
    spectrum = np.fft.rfft(samples)
    points = random.uniform(-decibels, decibels, 7)
    gains = np.interp(np.linspace(0, 1, len(spectrum)) ** 0.5, np.linspace(0, 1, 7), points)
    return np.fft.irfft(spectrum * 10 ** (gains / 20), len(samples))


def reverberant(random, samples):
    """With the tail of a small room behind each sound."""
    count = int(RATE * random.uniform(0.1, 0.4))
    tail = random.standard_normal(count) * np.exp(-6.9 * np.arange(count) / count)
    tail *= random.uniform(0.1, 0.5) / np.sqrt(np.sum(tail**2))
    tail[0] += 1.0
    size = -(-(len(samples) + count) // 4096) * 4096  # of small factors
    return np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(tail, size), size)[: len(samples)]


def coloured(random, count, slope):
    """Noise whose power falls by `slope` times 3 dB per octave."""
    spectrum = np.fft.rfft(random.standard_normal(count))
    frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20.0)
    return np.fft.irfft(spectrum * frequency ** (-slope / 2), count)


def white(random, count, _pool):
    return random.standard_normal(count)


def pink(random, count, _pool):
    return coloured(random, count, 1)


def brown(random, count, _pool):
    return coloured(random, count, 2)


def wind(random, count, _pool):
    """Coloured noise whose loudness and colour wander."""
    knots = count // (RATE // 4) + 2
    place = np.linspace(0, knots - 1, count)
    loud = 10 ** (np.interp(place, np.arange(knots), random.uniform(-12, 6, knots)) / 20)
    return equalized(random, coloured(random, count, random.uniform(0, 1.5)), 12) * loud


def babble(random, count, pool):
    voices = [stream_of(random, pool, count) for _ in range(random.integers(4, 9))]
    return reverberant(random, sum(voice / level(voice) for voice in voices))


def hum(random, count, _pool):
    """Mains and motors: a tone, its overtones, and some noise."""
    base = random.choice([50.0, 60.0, random.uniform(70, 400)])
    time = np.arange(count) / RATE
    total = np.zeros(count)
    for i in range(1, random.integers(4, 25)):
        if base * i < RATE / 2:
            total += random.uniform(0.1, 1) / i**0.7 * np.sin(2 * np.pi * (base * i * time + random.random()))
    return total / level(total) + random.uniform(0.05, 0.5) * coloured(random, count, 1) * 20


def clicks(random, count, _pool):
    """Keys, dishes: short resonances at random times over faint noise."""
    total = 0.02 * random.standard_normal(count)
    for start in random.integers(0, count, max(1, int(count / RATE * random.uniform(2, 12)))):
        size = min(int(RATE * random.uniform(0.005, 0.06)), count - start)
        time = np.arange(size) / RATE
        ring = np.sin(2 * np.pi * random.uniform(300, 6000) * time) + 0.5 * random.standard_normal(size)
        total[start : start + size] += random.uniform(0.2, 1) * ring * np.exp(-5 * np.arange(size) / max(size, 1))
    return total


NOISES = (white, pink, brown, wind, babble, hum, clicks)


def noise(random, count, pool, kinds=NOISES):
    """One or two kinds of noise, of level 1."""
    total = np.zeros(count)
    for _ in range(random.integers(1, 3)):
        part = equalized(random, random.choice(kinds)(random, count, pool), 6)
        total += random.uniform(0.3, 1) * part / level(part)
    return total / level(total)


def at_ratio(clean, noisy, decibels):
    """The noise with the level that it must have beside `clean`."""
    return noisy * level(clean) / level(noisy) * 10 ** (-decibels / 20)
