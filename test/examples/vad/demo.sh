# Part of tools/demo: a voice activity detector, compiled for this host and for
# a Cortex-A53; both look for speech in the same recording.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2154 # variables and functions of tools/demo

example=test/examples/vad
model=$("$python" - <<'PY'
import importlib.util, os
print(os.path.join(os.path.dirname(importlib.util.find_spec("silero_vad").origin),
                   "data", "silero_vad_16k_op15.onnx"))
PY
)
[[ -f $model ]] || die "the silero-vad package has no silero_vad_16k_op15.onnx"

# compile_vad TARGET FOLDER: libvad.a and vad.h of the model in FOLDER.
compile_vad() {
  say "compiling $(basename "$model") for $1"
  "$modelc" compile "$model" --target="$1" --name=vad -o "$2" \
    --shape input=1x576 --shape state=2x1x128 --const sr=16000
}

# print_sizes FOLDER
print_sizes() {
  "$python" - "$1" <<'PY'
import json, os, sys
folder = sys.argv[1]
with open(os.path.join(folder, "vad.json"), encoding="utf-8") as file:
    manifest = json.load(file)
size = os.path.getsize(os.path.join(folder, "libvad.a"))
weights = manifest["weights_bytes"]
print(f"  library {size} bytes, of which weights {weights}")
PY
}

compile_vad native "$out/host"
compile_vad cortex-a53 "$out/cortex-a53"

say "linking the programs"
sources=("$example/main.c" test/examples/wav.c)
cc "${cflags[@]}" -I "$out/host" "${sources[@]}" "$out/host/libvad.a" -nodefaultlibs -lc \
  -o "$out/host/vad"
aarch64-linux-gnu-gcc "${cflags[@]}" -static -I "$out/cortex-a53" "${sources[@]}" \
  "$out/cortex-a53/libvad.a" -o "$out/cortex-a53/vad"

say "making the recording"
"$python" "$example/make_speech.py" "$out/speech.wav"

say "this host:"
"$out/host/vad" "$out/speech.wav" "$out/host/probabilities.txt" 20
print_sizes "$out/host"
say "cortex-a53 (emulated, so the times mean nothing):"
qemu-aarch64 -cpu cortex-a53 "$out/cortex-a53/vad" "$out/speech.wav" \
  "$out/cortex-a53/probabilities.txt"
print_sizes "$out/cortex-a53"

say "comparing"
"$python" "$example/compare.py" "$model" "$out/speech.wav" "$out/host/probabilities.txt" \
  "$out/cortex-a53/probabilities.txt" || die "the probabilities differ"
"$python" "$example/plot.py" "$out/speech.wav" "$out/vad.png" \
  "host=$out/host/probabilities.txt" "cortex-a53=$out/cortex-a53/probabilities.txt"
say "done: $out/vad.png"
