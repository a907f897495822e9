"""Builds libraries of doctored.c with the compiler that the first argument names, for the targets of the others, checks
them, and prints per breach and target the exit status and what was found.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys
from pathlib import Path

BREACHES = ("PLAIN", "ALLOCATES", "ATOMIC", "GLOBAL", "LOCKS", "LOOPS", "POINTER", "RECURSES", "SYSTEM")
SOURCE = Path(__file__).parent / "doctored.c"


def check(compiler: str, breach: str, target: str) -> str:
    flags = ["-O1", "-ffreestanding", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", f"--target={target}"]
    flags += ["-mno-outline-atomics"] if target.startswith("aarch64") else []
    subprocess.run([compiler, *flags, f"-D{breach}", "-c", str(SOURCE), "-o", "g.o"], check=True)
    library = Path(f"lib{breach}-{target}.a")
    library.unlink(missing_ok=True)
    subprocess.run(["llvm-ar", "rcsD", str(library), "g.o"], check=True)
    done = subprocess.run(["modelc", "rt-check", str(library)], capture_output=True, text=True)
    findings = [line for line in done.stdout.splitlines() if line.startswith("g.o: ")]
    return f"{breach} {done.returncode if breach == 'PLAIN' else target + ': ' + str(done.returncode)}: {' | '.join(findings)}"


def main() -> None:
    compiler, *targets = sys.argv[1:]
    for breach in BREACHES:
        for target in targets:
            print(check(compiler, breach, target))


if __name__ == "__main__":
    main()
