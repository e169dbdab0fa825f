// SPDX-License-Identifier: MIT

// Decoder configuration records are written back as they were read.

/// Takes one input; libFuzzer calls it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if var record = try? AVCDecoderConfiguration(bytes: bytes) {
        var writer = SyntaxWriter()
        precondition((try? record.code(with: &writer)) != nil && writer.bytes == bytes)
    }
    return 0
}
