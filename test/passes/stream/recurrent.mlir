// RUN: modelc-opt %s -split-input-file "-modelc-stream=inputs=x:0=2 lookahead=-1" | FileCheck %s

// The state goes from call to call; sequences are as long as a call.
// CHECK: modelc.state @h {initial = dense<5.000000e-01> : tensor<1x1x3xf32>}
// CHECK: func.func @main(%[[X:.*]]: tensor<2x1x2xf32>
func.func @main(%x: tensor<32x1x2xf32> {modelc.name = "x"}) -> tensor<32x1x1x3xf32> {
  %w = modelc.constant {value = dense<1.0> : tensor<1x3x2xf32>} : () -> tensor<1x3x2xf32>
  %r = modelc.constant {value = dense<1.0> : tensor<1x3x3xf32>} : () -> tensor<1x3x3xf32>
  %b = modelc.constant {value = dense<0.0> : tensor<1x6xf32>} : () -> tensor<1x6xf32>
  %n = modelc.constant {value = dense<32> : tensor<1xi32>} : () -> tensor<1xi32>
  %h = modelc.constant {value = dense<0.5> : tensor<1x1x3xf32>} : () -> tensor<1x1x3xf32>
  // CHECK-DAG: %[[N:.*]] = modelc.constant {value = dense<2> : tensor<1xi32>}
  // CHECK-DAG: %[[H:.*]] = modelc.state_read @h
  // CHECK: %{{.*}}, %[[NEW:.*]] = modelc.rnn %[[X]], %{{.*}}, %{{.*}}, %{{.*}}, %[[N]], %[[H]]
  // CHECK: modelc.state_write @h, %[[NEW]]
  %y, %last = modelc.rnn %x, %w, %r, %b, %n, %h {direction = #modelc<direction forward>, activations = array<i32: 1>, alphas = array<f64: 0.0>, betas = array<f64: 0.0>, clip = 0.0 : f64} : (tensor<32x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>, tensor<1x6xf32>, tensor<1xi32>, tensor<1x1x3xf32>) -> (tensor<32x1x1x3xf32>, tensor<1x1x3xf32>)
  return %y : tensor<32x1x1x3xf32>
}

// -----

// A total so far.
// CHECK: modelc.state @total {initial = dense<0.000000e+00> : tensor<1x3xf32>}
func.func @main(%x: tensor<32x3xf32> {modelc.name = "x"}) -> tensor<32x3xf32> {
  // CHECK: %[[TOTAL:.*]] = modelc.state_read @total
  // CHECK: %[[OWN:.*]] = modelc.cumulative
  // CHECK: %[[Y:.*]] = modelc.add %[[OWN]], %[[TOTAL]]
  // CHECK: %[[LAST:.*]] = modelc.slice %[[Y]]
  // CHECK: modelc.state_write @total, %[[LAST]]
  %y = modelc.cumulative %x {kind = #modelc<reduce_kind sum>, axis = 0 : i64, exclusive = false, reverse = false} : (tensor<32x3xf32>) -> tensor<32x3xf32>
  return %y : tensor<32x3xf32>
}
