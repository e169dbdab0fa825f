// SPDX-License-Identifier: MIT

/// Pictures of other formats and sizes than the session's.
extension EncodePipeline {
    /// What a picture shows, in the format and size that are taken: in the encoder's memory where it has a pool.
    ///
    /// - Throws: ``EncoderError`` of the transfer, or without memory; the picture's frame is dropped with it.
    mutating func fill(
        from picture: PixelBuffer, of frame: SubmittedFrame, by transfer: any PixelTransfer
    ) throws(EncoderError) -> PixelBuffer {
        let source = inForce.configuration.source
        // The session may take other pictures than when it was given this one.
        if let error = source.mismatch(of: picture, without: self.transfer) { throw error }
        let start = FrameCost.now
        defer { frame.noteTransferred(since: start) }
        var target = try pool(of: source).makeMutablePixelBuffer()
        target.color = source.signalledColor
        try transfer.transfer(try picture.mapped(), to: &target)
        return PixelBuffer(target)
    }

    private mutating func pool(of source: SourceFormat) throws(EncoderError) -> PixelBufferPool {
        if let pool = run?.pixelBufferPool, pool.source == source { return pool }
        if let transferPool, transferPool.source == source { return transferPool }
        let pool = try PixelBufferPool(source)
        transferPool = pool
        return pool
    }
}
