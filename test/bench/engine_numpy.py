"""A matrix product in numpy as an engine of the benchmark: engine_numpy.py ROWS

Answers the requests that pace.h describes. The interpreter adds about a microsecond to calls of a millisecond.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import struct
import sys
import time

import numpy


def main() -> None:
    rows = int(sys.argv[1])
    generator = numpy.random.default_rng(0)
    left = generator.standard_normal((rows, rows)).astype(numpy.float32)
    right = generator.standard_normal((rows, rows)).astype(numpy.float32)
    result = numpy.empty((rows, rows), numpy.float32)
    for line in sys.stdin:
        count, period, evict = map(int, line.split())
        other = numpy.ones(evict, numpy.uint8) if evict else None
        times = []
        next_start = time.perf_counter_ns()
        for _ in range(count):
            if other is not None:
                other.sum()
            if period:
                next_start = max(next_start + period, time.perf_counter_ns())
                time.sleep(max(0, next_start - time.perf_counter_ns()) / 1e9)
            start = time.perf_counter_ns()
            numpy.matmul(left, right, out=result)
            times.append(time.perf_counter_ns() - start)
        sys.stdout.buffer.write(struct.pack(f"={count}Q", *times))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
