# Part of tools/demo: a denoiser, audio in and audio out, made streaming; it
# cleans a recording hop by hop.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash disable=SC2154 # variables and functions of tools/demo

example=test/examples/denoise
out=$out/denoise
mkdir -p "$out/host"

say "compiling denoiser.onnx, a model of whole recordings, to one of 160 samples"
"$modelc" compile "$example/denoiser.onnx" --target=native --name=denoiser -o "$out/host" \
  --stream audio:1=160 --lookahead 160
cc "${cflags[@]}" -I "$out/host" "$example/main.c" test/examples/wav.c "$out/host/libdenoiser.a" \
  -nodefaultlibs -lc -o "$out/host/denoise"

say "the recording: ${recordings[0]:-made here}"
"$python" "$example/prepare.py" "$out" "${recordings[@]}"

say "cleaning it"
"$out/host/denoise" "$out/noisy.wav" "$out/cleaned.wav" 5

say "what came out, and what it costs"
"$python" "$example/report.py" "$example/denoiser.onnx" "$out" "$out/host" ||
  die "the cleaned recording is not what onnxruntime makes of it"
say "done: $out/before.png, $out/after.png, $out/noisy.wav, $out/cleaned.wav"
