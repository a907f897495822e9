// The way from loops and vectors to the LLVM dialect. The only file that uses MLIR's pattern sets
// and conversion passes, so that a new MLIR release is one place. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "codegen/Passes.h"
#include "codegen/Target.h"
#include "codegen/math/ExpandMath.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace modelc {

#define GEN_PASS_DEF_LOWERVECTORSPASS
#define GEN_PASS_DEF_CONVERTKERNELTOLLVMPASS
#include "codegen/Passes.h.inc"

static LogicalResult rewrite(Operation *op, function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(op->getContext());
  populate(patterns);
  return applyPatternsAndFoldGreedily(op, std::move(patterns));
}

static vector::VectorTransformsOptions vectorOptions() {
  vector::VectorTransformsOptions options;
  options.setVectorTransformsOptions(vector::VectorContractLowering::OuterProduct)
      .setVectorMultiReductionLowering(vector::VectorMultiReductionLowering::InnerParallel)
      .setVectorTransposeLowering(vector::VectorTransposeLowering::Shuffle16x16);
  return options;
}

namespace {

/// Each step needs the one before to be complete: a contraction turns into transposes and outer
/// products, an outer product into broadcasts.
struct LowerVectorsPass : impl::LowerVectorsPassBase<LowerVectorsPass> {
  using Base::Base;

  void runOnOperation() override {
    vector::VectorTransformsOptions options = vectorOptions();
    Operation *function = getOperation();
    LogicalResult lowered = rewrite(function, [&](RewritePatternSet &patterns) {
      // Masks are lowered in the same set: they wrap the operations that the other patterns look
      // for.
      vector::populateVectorContractLoweringPatterns(patterns, options);
      vector::populateVectorMultiReductionLoweringPatterns(patterns,
                                                           options.vectorMultiReductionLowering);
      vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
      vector::populateVectorMaskOpLoweringPatterns(patterns);
    });
    if (succeeded(lowered)) {
      lowered = rewrite(function, [](RewritePatternSet &patterns) {
        vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
        vector::populateVectorTransferDropUnitDimsPatterns(patterns);
      });
    }
    if (succeeded(lowered)) {
      lowered = rewrite(function, [](RewritePatternSet &patterns) {
        VectorTransferToSCFOptions unrolled;
        unrolled.enableFullUnroll(true).setTargetRank(1); // loops would go through a stack buffer
        populateVectorToSCFConversionPatterns(patterns, unrolled);
      });
    }
    if (succeeded(lowered)) {
      lowered = rewrite(function, [](RewritePatternSet &patterns) {
        vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
        vector::populateVectorMaskMaterializationPatterns(patterns,
                                                          /*force32BitVectorIndices=*/true);
      });
    }
    if (succeeded(lowered)) {
      lowered = rewrite(function, [&](RewritePatternSet &patterns) {
        vector::populateVectorOuterProductLoweringPatterns(patterns);
        vector::populateVectorBroadcastLoweringPatterns(patterns);
        vector::populateVectorShapeCastLoweringPatterns(patterns);
        vector::populateVectorTransposeLoweringPatterns(patterns, options);
        vector::populateVectorBitCastLoweringPatterns(patterns);
        vector::populateVectorInterleaveLoweringPatterns(patterns);
      });
    }
    if (failed(lowered)) {
      signalPassFailure();
    }
  }
};

struct ConvertKernelToLLVMPass : impl::ConvertKernelToLLVMPassBase<ConvertKernelToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    ModuleOp module = getOperation();
    // Canonicalization between the passes makes n-D broadcasts and shape casts again; the
    // conversion knows none.
    LogicalResult prepared = rewrite(module, [](RewritePatternSet &patterns) {
      vector::populateVectorToVectorCanonicalizationPatterns(patterns);
      vector::populateVectorBroadcastLoweringPatterns(patterns);
      vector::populateVectorShapeCastLoweringPatterns(patterns);
      vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
      vector::populateVectorTransposeLoweringPatterns(patterns, vector::VectorTransformsOptions());
      vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
      arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    });
    if (failed(prepared)) {
      return signalPassFailure();
    }
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(indexBits);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(context, options);
    RewritePatternSet patterns(context);
    populateAffineToStdConversionPatterns(patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/true);
    populateVectorToLLVMMatrixConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace

void buildKernelLoweringPipeline(OpPassManager &pm, const Target &target) {
  pm.addPass(createVerifyKernelPass());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createLowerVectorsPass());
  // Before the math functions: their polynomials are f32.
  function.addPass(createExpandHalfPass({target.hasF16Convert}));
  function.addPass(createExpandMathPass(MathOptions{target.hasFma, target.hasRound, target.hasFpu,
                                                    target.hasDouble, target.hasRoundEven}));
  // After the math functions: their polynomials use fused multiply-add.
  // On 32-bit ARM the Armv8 unit brings both rounding and maximum.
  bool hasMinMax = target.family != TargetFamily::ArmM || target.hasRound;
  function.addPass(createExpandArithPass({target.hasFma, hasMinMax}));
  // Views of memory become index arithmetic on the arguments.
  pm.addPass(memref::createFoldMemRefAliasOpsPass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertKernelToLLVMPass({target.pointerBits}));
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

} // namespace modelc
