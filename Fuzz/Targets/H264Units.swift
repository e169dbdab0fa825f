// SPDX-License-Identifier: MIT

// Any byte stream: each unit is traced and read; what can be read is written back as the same bits.

/// Takes one input; libFuzzer calls it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    UnitCheck<H264NALUnit>.run(bytes)
    var detector = H264AccessUnitDetector()
    for range in AnnexB.nalUnitRanges(in: bytes) {
        _ = try? detector.startsAccessUnit(Array(bytes[range]))
    }
    return 0
}
