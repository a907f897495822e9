"""How a program for each target of the tests is compiled, linked and executed on this machine.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

RIGS = Path(__file__).resolve().parent

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-std=c11")


@dataclass(frozen=True)
class Toolchain:
    """`run` is the emulator's command without its program; `port`: the sources that every program needs there;
    `bare`: no operating system below the program.
    """

    compile: tuple[str, ...]
    link: tuple[str, ...]
    run: tuple[str, ...]
    port: tuple[str, ...]
    bare: bool = False

    def missing(self) -> str | None:
        """Returns the first command that this machine lacks."""
        for command in (self.compile, self.link, self.run):
            if command and not shutil.which(command[0]):
                return command[0]
        return None


# Debian 12's QEMU has no model of these cores; `max` has every feature that they have.
_EMULATED_AS_MAX = {"cortex-a55", "cortex-a510", "neoverse-n2", "aarch64"}


def _host() -> Toolchain:
    # Warnings that linkers print are the library's fault (executable stack, text relocations), hence fatal.
    return Toolchain(
        compile=("cc", "-O2", "-D_GNU_SOURCE", *WARNINGS),
        link=("cc", "-Wl,--fatal-warnings", "-Wl,-z,text"),
        run=(),
        port=("port_posix.c", "support.c"),
    )


def _aarch64(cpu: str) -> Toolchain:
    emulated = "max" if cpu in _EMULATED_AS_MAX else cpu
    return Toolchain(
        compile=("aarch64-linux-gnu-gcc", "-O2", "-D_GNU_SOURCE", *WARNINGS),
        link=("aarch64-linux-gnu-gcc", "-static", "-Wl,--fatal-warnings"),
        run=("qemu-aarch64", "-cpu", emulated),
        port=("port_posix.c", "support.c"),
    )


def _cortex_m4() -> Toolchain:
    machine = ("--target=thumbv7em-none-eabihf", "-mcpu=cortex-m4")
    quiet = ("-display", "none", "-monitor", "none", "-serial", "none")
    return Toolchain(
        compile=("clang-19", *machine, "-O2", "-ffreestanding", "-fno-builtin", *WARNINGS),
        link=("ld.lld-19", "--fatal-warnings", "-T", str(RIGS / "mps2_an386.ld")),
        run=("qemu-system-arm", "-M", "mps2-an386", *quiet),
        port=("start_cortexm.c", "port_semihosting.c", "support.c"),
        bare=True,
    )


def toolchain_for(target: str) -> Toolchain:
    """Returns the toolchain of a target as `modelc --target` spells it; features behind '+' do not matter here."""
    cpu = target.split("+")[0]
    if cpu == "cortex-m4":
        return _cortex_m4()
    if cpu.startswith(("cortex-a", "neoverse-")) or cpu == "aarch64":
        return _host() if platform.machine() == "aarch64" else _aarch64(cpu)
    return _host()
