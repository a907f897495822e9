// RUN: not modelc-opt %s -modelc-keep-states=states=x=z 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not modelc-opt %s -modelc-keep-states=states=x=y 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not modelc-opt %s -modelc-keep-states=states=x=v,x=w 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not modelc-opt %s -modelc-keep-states=states=auto 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: modelc-opt %s -modelc-keep-states=states=a=b=v | FileCheck %s

// UNKNOWN: error: --state=x=z: expected INPUT=OUTPUT, an input and an output of the model
// TYPE: error: --state=x=y: the input is 'tensor<4xf32>', the output 'tensor<3xf32>'; a state has one type
// TWICE: error: --state=x=w: the input or the output is part of another state
// AUTO: error: --state=auto: no input and output have one type and names such as 'h_in' and 'h_out'
// CHECK: modelc.state @"a=b"
func.func @main(%x: tensor<4xf32> {modelc.name = "x"}, %y: tensor<3xf32> {modelc.name = "other"},
                %z: tensor<4xf32> {modelc.name = "a=b"})
    -> (tensor<3xf32> {modelc.name = "y"}, tensor<4xf32> {modelc.name = "v"}, tensor<4xf32> {modelc.name = "w"}) {
  return %y, %x, %x : tensor<3xf32>, tensor<4xf32>, tensor<4xf32>
}
