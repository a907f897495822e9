//===- RecurrentOps.td - GRU, LSTM, RNN -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MODELC_RECURRENT_OPS_TD
#define MODELC_RECURRENT_OPS_TD

include "ir/ModelcDialect.td"
include "ir/ModelcEnums.td"
include "ir/ModelcInterfaces.td"
include "ir/ops/LinearOps.td"

// x [time, batch, input], w [directions, gates * hidden, input],
// r [directions, gates * hidden, hidden], bias [directions, 2 * gates *
// hidden] (input biases, then recurrent ones), lengths [batch], initial states
// [directions, batch, hidden].
class Modelc_Recurrent<string mnemonic> : Modelc_Loop<mnemonic> {
  code constraints = [{
    C1. x is [time, batch, input], w [directions, gates * hidden, input], r
        [directions, gates * hidden, hidden], bias [directions, 2 * gates *
        hidden], lengths [batch], initial states [directions, batch, hidden];
        directions is 2 if bidirectional, else 1.
    C2. `activations` has as many entries per direction as the cell has
        activations; `alphas` and `betas` are their parameters, one each.
    C3. All float operands have the same element type.
    C4. `packed`, of gru and lstm, is in 1 .. hidden.

    Steps from `lengths[b]` on leave the state unchanged and output 0.
    `clip` limits gate inputs to [-clip, clip]; 0 means no limit.

    With `packed` = n, w and r hold the same elements in the order in which
    kernels read them: hidden units in blocks of n (the last block: the rest),
    inside a block by input element, then gate, then unit. The bias keeps its
    order, but where a gate adds both of its biases at once (all gates but the
    hidden one of gru), their sum stands in the place of the first, and 0 in
    that of the second.
  }];
}

def Modelc_GruOp : Modelc_Recurrent<"gru"> {
  let summary = "gated recurrent unit over a sequence (ONNX GRU)";
  let description = [{
    Gates in the order update z, reset r, hidden n:
    `z = f(Wz x + Rz h + bz)`, `r = f(Wr x + Rr h + br)`,
    `n = g(Wn x + r * (Rn h + rbn) + wbn)` if `linear_before_reset`, else
    `n = g(Wn x + Rn (r * h) + rbn + wbn)`; `h' = (1 - z) * n + z * h`.
    `y` is [time, directions, batch, hidden], `y_h` the last state.

  }] # constraints # [{
    Example: `%y, %h = modelc.gru %x, %w, %r, %b, %n, %h0 {direction = #modelc<direction forward>, activations = array<i32: 0, 1>, alphas = array<f64: 0.0, 0.0>, betas = array<f64: 0.0, 0.0>, clip = 0.0 : f64, linear_before_reset = true} : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, Modelc_FloatTensor:$w,
                       Modelc_FloatTensor:$r, Modelc_FloatTensor:$bias,
                       Modelc_IndexTensor:$lengths, Modelc_FloatTensor:$initial_h,
                       Modelc_DirectionAttr:$direction,
                       DenseI32ArrayAttr:$activations, DenseF64ArrayAttr:$alphas,
                       DenseF64ArrayAttr:$betas, F64Attr:$clip,
                       BoolAttr:$linear_before_reset,
                       OptionalAttr<I64Attr>:$packed);
  let results = (outs Modelc_FloatTensor:$y, Modelc_FloatTensor:$y_h);
}

def Modelc_LstmOp : Modelc_Recurrent<"lstm"> {
  let summary = "long short-term memory over a sequence (ONNX LSTM)";
  let description = [{
    Gates in the order input i, output o, forget f, cell c:
    `i = f(Wi x + Ri h + Pi * C + bi)`, `f = f(Wf x + Rf h + Pf * C + bf)`,
    `c = g(Wc x + Rc h + bc)`, `C' = f * C + i * c`,
    `o = f(Wo x + Ro h + Po * C' + bo)`, `h' = o * h(C')`. `peephole` is
    [directions, 3 * hidden] in the order i, o, f. With `input_forget` f = 1 - i.

  }] # constraints # [{
    Example: `%y, %h, %c = modelc.lstm %x, %w, %r, %b, %n, %h0, %c0, %p {direction = #modelc<direction forward>, activations = array<i32: 0, 1, 1>, alphas = array<f64: 0.0, 0.0, 0.0>, betas = array<f64: 0.0, 0.0, 0.0>, clip = 0.0 : f64, input_forget = false} : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1xi32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x9xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, Modelc_FloatTensor:$w,
                       Modelc_FloatTensor:$r, Modelc_FloatTensor:$bias,
                       Modelc_IndexTensor:$lengths, Modelc_FloatTensor:$initial_h,
                       Modelc_FloatTensor:$initial_c, Modelc_FloatTensor:$peephole,
                       Modelc_DirectionAttr:$direction,
                       DenseI32ArrayAttr:$activations, DenseF64ArrayAttr:$alphas,
                       DenseF64ArrayAttr:$betas, F64Attr:$clip,
                       BoolAttr:$input_forget,
                       OptionalAttr<I64Attr>:$packed);
  let results = (outs Modelc_FloatTensor:$y, Modelc_FloatTensor:$y_h,
                      Modelc_FloatTensor:$y_c);
}

def Modelc_RnnOp : Modelc_Recurrent<"rnn"> {
  let summary = "simple recurrent network over a sequence (ONNX RNN)";
  let description = [{
    `h' = f(W x + R h + wb + rb)`.

  }] # constraints # [{
    Example: `%y, %h = modelc.rnn %x, %w, %r, %b, %n, %h0 {direction = #modelc<direction reverse>, activations = array<i32: 1>, alphas = array<f64: 0.0>, betas = array<f64: 0.0>, clip = 0.0 : f64} : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)`
  }];
  let arguments = (ins Modelc_FloatTensor:$x, Modelc_FloatTensor:$w,
                       Modelc_FloatTensor:$r, Modelc_FloatTensor:$bias,
                       Modelc_IndexTensor:$lengths, Modelc_FloatTensor:$initial_h,
                       Modelc_DirectionAttr:$direction,
                       DenseI32ArrayAttr:$activations, DenseF64ArrayAttr:$alphas,
                       DenseF64ArrayAttr:$betas, F64Attr:$clip);
  let results = (outs Modelc_FloatTensor:$y, Modelc_FloatTensor:$y_h);
}

#endif // MODELC_RECURRENT_OPS_TD
