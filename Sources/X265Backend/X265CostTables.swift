// SPDX-License-Identifier: MIT

import CX265

/// What motion vectors cost at each quantizer: tables that all encoders of a process and a bit depth share.
///
/// libx265 3.5 makes a table when a quantizer is first used, and shows it to the other encoders before it is filled. Of
/// two that use one first at the same time, the second searches with what the memory held, so that its bytes were other
/// ones than alone, in one of some fifteen comparisons on a busy machine. So one encoder uses each quantizer before any
/// other is open.
enum X265CostTables {
    /// What the library's rate control counts up to.
    static let quantizers = 0...69
    private static let side = 64

    /// Fills all tables: some milliseconds, to be spent once, while no encoder is open.
    ///
    /// - Returns: The quantizers that pictures were coded with; fewer than ``quantizers`` where there is no memory, as
    ///   the encoder that follows says.
    @discardableResult
    static func fill(_ library: X265Library) -> [Int] {
        guard var parameters = try? X265ParameterBlock(library: library, preset: "ultrafast", tune: nil) else {
            return []
        }
        parameters.setThreadPools(X265Parameters.threadPools(count: 1))
        assign(&parameters.pointer.pointee)
        guard let encoder = library.api.encoder_open?(parameters.pointer) else { return [] }
        defer { library.api.encoder_close?(encoder) }
        guard let picture = try? X265Picture(library: library, parameters: parameters),
            let output = try? X265Picture(library: library, parameters: parameters)
        else { return [] }
        var coded: [Int] = []
        func encode(_ input: UnsafeMutablePointer<x265_picture>?) -> Bool {
            var (units, count) = (UnsafeMutablePointer<x265_nal>?.none, UInt32(0))
            guard library.api.encoder_encode?(encoder, &units, &count, input, output.pointer) == 1 else { return false }
            coded.append(Int(output.pointer.pointee.frameData.qp))
            return true
        }
        // Two bytes for each sample of luma, whatever the depth; chroma needs no more.
        withUnsafeTemporaryAllocation(byteCount: side * side * 2, alignment: 64) { samples in
            samples.initializeMemory(as: UInt8.self, repeating: 0)
            picture.pointer.pointee.planes = (samples.baseAddress, samples.baseAddress, samples.baseAddress)
            picture.pointer.pointee.stride = (Int32(side * 2), Int32(side * 2), Int32(side * 2))
            for quantizer in quantizers {
                // One more than the quantizer: 0 forces none.
                picture.pointer.pointee.forceqp = Int32(quantizer + 1)
                _ = encode(picture.pointer)
            }
            while encode(nil) {}
        }
        return coded
    }

    /// One thread, a quantizer for each picture, and no picture held.
    private static func assign(_ parameters: inout x265_param) {
        (parameters.sourceWidth, parameters.sourceHeight) = (Int32(side), Int32(side))
        (parameters.fpsNum, parameters.fpsDenom) = (25, 1)
        (parameters.frameNumThreads, parameters.bEnableWavefront) = (1, 0)
        (parameters.bframes, parameters.lookaheadDepth, parameters.scenecutThreshold) = (0, 0, 0)
        parameters.rc.rateControlMode = Int32(X265_RC_CQP.rawValue)
        parameters.rc.aqMode = 0
        parameters.bEmitInfoSEI = 0
        parameters.logLevel = X265_LOG_NONE
    }
}
