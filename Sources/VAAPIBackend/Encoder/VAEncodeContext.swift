// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// A driver's encoder with the surfaces and buffers that belong to it: what is made anew when the driver fails.
final class VAEncodeContext {
    /// What a context is made for.
    struct Description: Sendable {
        var profile: VAProfile
        var entrypoint: VAEntrypoint
        var traits: VAEncodeTraits
        var bitDepth: Int
        /// Luma samples in a row and rows as coded.
        var width: Int
        var height: Int
        /// Whether pictures begin with access unit delimiters.
        var delimits = false
        /// Most bytes of a slice; nil where pictures are not divided by size.
        var sliceBytes: Int?
        /// Parts of pictures with other quantizers.
        var regions: [RegionOfInterest] = []

        /// The kinds of headers that the driver is given: all that it takes of those that there are.
        var packedHeaders: UInt32 {
            let sets = VA_ENC_PACKED_HEADER_SEQUENCE | VA_ENC_PACKED_HEADER_PICTURE | VA_ENC_PACKED_HEADER_SLICE
            return traits.packedHeaders & UInt32(delimits ? sets | VA_ENC_PACKED_HEADER_RAW_DATA : sets)
        }

        /// More than any picture takes, its headers included: samples as they are with the overhead of blocks that are
        /// coded so.
        var codedByteCount: Int { width * height * 2 * (bitDepth > 8 ? 2 : 1) + 1 << 16 }
    }

    let display: VADisplayHandle
    let description: Description
    private let tracker: Confined<ReferenceTracker>
    private let config: VAConfigHandle
    private let id: VAContextID
    private let surfaces: [VASurface]
    private let reconstructions: [VASurfaceID]
    private let regions: RegionTable?
    private let buffers = Confined(Buffers())
    private var way = Way.unknown

    /// How this driver is asked whether a picture is coded.
    private enum Way {
        /// The first picture tells.
        case unknown
        /// `vaSyncBuffer` with a deadline.
        case buffer
        /// `vaSyncSurface`, for drivers that have no `vaSyncBuffer` (i965) or none with a deadline (Mesa 22.3).
        case surface(SurfaceWatch)
    }

    /// Buffers for coded pictures; together, so that each change is one access to the context.
    private struct Buffers {
        var idle: [VACodedBuffer] = []
        /// What the driver may still read and write, which has to outlast the context.
        var inFlight: [(buffer: VACodedBuffer, input: VAInput.Picture)] = []

        /// Has a buffer for the next picture.
        mutating func finish(_ buffer: VACodedBuffer) {
            guard let index = inFlight.firstIndex(where: { $0.buffer === buffer }) else { return }
            idle.append(inFlight.remove(at: index).buffer)
        }
    }

    /// A picture that the driver has.
    final class Submission {
        let plan: PicturePlan
        let input: VAInput.Picture
        let codedBuffer: VACodedBuffer
        let context: VAEncodeContext

        fileprivate init(
            _ plan: consuming PicturePlan, _ input: VAInput.Picture, _ codedBuffer: VACodedBuffer,
            _ context: VAEncodeContext
        ) {
            (self.plan, self.input, self.codedBuffer, self.context) = (plan, input, codedBuffer, context)
        }
    }

    /// Opens a driver's encoder.
    ///
    /// - Parameters:
    ///   - display: Where.
    ///   - description: What for.
    ///   - references: Without pictures.
    ///   - mode: The `VA_RC_` bit of rate control.
    /// - Throws: ``EncoderError`` as the driver refuses.
    init(
        _ display: VADisplayHandle, _ description: Description, references: ReferenceTracker, mode: UInt32
    ) throws(EncoderError) {
        let (width, height) = (description.width, description.height)
        tracker = Confined(references)
        regions = RegionTable(description.regions)
        config = try VAConfigHandle(
            display, description.profile, description.entrypoint, bitDepth: description.bitDepth, mode: mode,
            packedHeaders: description.packedHeaders)
        let pool = VASurfacePool(
            display, width: width, height: height, bitDepth: description.bitDepth, capacity: references.slotCount)
        var surfaces: [VASurface] = []
        for _ in 0..<references.slotCount { surfaces.append(try pool.take()) }
        self.surfaces = surfaces
        reconstructions = surfaces.map(\.id)
        var targets = reconstructions
        var id = VA_INVALID_ID
        let configID = config.id
        let status = display.library.status {
            $0.vaCreateContext(
                display.raw, configID, Int32(width), Int32(height), VA_PROGRESSIVE, &targets, Int32(targets.count), &id
            )
        }
        try display.library.check(status, "vaCreateContext of \(width)x\(height)")
        self.id = id
        (self.display, self.description) = (display, description)
    }

    // Everything else goes after this.
    deinit { _ = display.library.status { $0.vaDestroyContext(display.raw, id) } }

    /// What pictures are predicted from, on this context's surfaces.
    var references: ReferenceTracker { tracker.value }

    /// Plans what a picture is predicted from.
    ///
    /// - Throws: ``EncoderError`` when all surfaces for reconstructions are in use.
    func plan(_ picture: GOPPlanner.Picture) throws(EncoderError) -> PicturePlan {
        if let plan = tracker.value.plan(picture) { return plan }
        throw EncoderError(.backendFailure, reason: "all surfaces for reconstructions are in use")
    }

    /// Gives the driver a picture.
    ///
    /// - Parameters:
    ///   - plan: What it is.
    ///   - input: Its samples.
    ///   - codec: Makes the headers and structures.
    ///   - sequence: What goes before an IDR picture.
    ///   - rate: Rate control, where the driver has to be told.
    ///   - qualityLevel: As the driver calls it; nil leaves it to the driver.
    /// - Returns: What to wait for.
    /// - Throws: ``EncoderError`` as the driver refuses; the context is of no more use then.
    func submit(
        _ plan: consuming PicturePlan, _ input: VAInput.Picture, _ codec: any CodecDriver, sequence: SequenceFacts?,
        rate: VARatePlan?, qualityLevel: Int?
    ) throws(EncoderError) -> Submission {
        let codedBuffer = try takeBuffer()
        let surfaces = PictureSurfaces(reconstructions: reconstructions, codedBuffer: codedBuffer.id)
        var buffers = PictureBuffers(display, id)
        let kinds = description.packedHeaders
        if let sequence { try codec.addSequence(sequence, to: &buffers) }
        // iHD takes rates from the sequence anew: what is meant comes behind it.
        if let rate { try add(rate, to: &buffers) }
        if sequence != nil, let qualityLevel {
            try buffers.add(
                VAEncMiscParameterTypeQualityLevel,
                VAEncMiscParameterBufferQualityLevel(quality_level: UInt32(qualityLevel), va_reserved: (0, 0, 0, 0)))
        }
        try codec.addPicture(plan, on: surfaces, to: &buffers)
        // iHD keeps them with the picture's parameters, which it has to know before.
        if let regions { try buffers.add(VAEncMiscParameterTypeROI, regions.structure) }
        if let bytes = description.sliceBytes { try addLimit(ofSliceBytes: bytes, to: &buffers) }
        if description.delimits { try codec.addDelimiter(of: plan, kinds: kinds, to: &buffers) }
        if sequence != nil {
            for header in codec.packedSets { try buffers.add(header, ifOneOf: kinds) }
        }
        try codec.addSlices(plan, on: surfaces, kinds: kinds, to: &buffers)
        try buffers.submit(input.surface)
        self.buffers.value.inFlight.append((codedBuffer, input))
        return Submission(plan, input, codedBuffer, self)
    }

    /// Whether several pictures may be in flight: drivers without deadlines are asked for one after the other, since
    /// Mesa 22.3 tells apart no two that it has at once.
    var takesSeveral: Bool {
        if case .buffer = way { true } else { false }
    }

    /// Waits for a picture.
    ///
    /// - Parameters:
    ///   - submission: One of this context.
    ///   - deadline: The call returns by then; one that has passed asks whether the picture is coded.
    /// - Returns: Whether it is coded.
    /// - Throws: ``EncoderError`` when the driver says that it failed.
    func wait(for submission: Submission, until deadline: ContinuousClock.Instant) throws(EncoderError) -> Bool {
        let library = display.library
        if case .surface(let watch) = way {
            guard let status = watch.wait(for: submission.input.surface, until: deadline) else { return false }
            try library.check(status, "vaSyncSurface")
            return true
        }
        let status = waitForBuffer(submission.codedBuffer.id, until: deadline)
        switch status {
        case VA_STATUS_ERROR_UNIMPLEMENTED:
            way = .surface(try SurfaceWatch(display))
            return try wait(for: submission, until: deadline)
        case VA_STATUS_ERROR_TIMEDOUT:
            way = .buffer
            return false
        default:
            way = .buffer
            try library.check(status, "vaSyncBuffer")
            return true
        }
    }

    private func waitForBuffer(_ buffer: VABufferID, until deadline: ContinuousClock.Instant) -> VAStatus {
        guard let syncBuffer = display.library.call.vaSyncBuffer else { return VA_STATUS_ERROR_UNIMPLEMENTED }
        let now = ContinuousClock.now
        // Never 0: Mesa 22.3 takes a deadline of 0 as if it knew deadlines, and no other.
        let left = now < deadline ? max(now.duration(to: deadline).nanoseconds, 1) : 1
        return display.library.status { _ in syncBuffer(display.raw, buffer, left) }
    }

    /// Ends the use of a context whose picture the driver may not have come back from: what the picture needs, and this
    /// context, go when it has.
    ///
    /// - Parameter objects: What else must not go before.
    /// - Returns: Whether there is such a picture.
    @discardableResult func letGo(with objects: [Any]) -> Bool {
        guard case .surface(let watch) = way else { return false }
        return watch.hold([self] + objects)
    }

    /// Notes that a picture is coded or failed: nothing of it is read or written any more, and once it was read, its
    /// buffer is for the next.
    func finish(_ submission: Submission) {
        tracker.value.finish(submission.plan)
        buffers.value.finish(submission.codedBuffer)
    }

    private func add(_ rate: VARatePlan, to buffers: inout PictureBuffers) throws(EncoderError) {
        guard rate.mode != UInt32(VA_RC_CQP) else { return }
        try buffers.add(VAEncMiscParameterTypeRateControl, rate.control)
        try buffers.add(VAEncMiscParameterTypeFrameRate, rate.rate)
        if rate.bufferBits > 0 { try buffers.add(VAEncMiscParameterTypeHRD, rate.hypotheticalDecoder) }
    }

    /// In bytes, as drivers and their clients have it (iHD, Intel's Media SDK); `va.h` says bits.
    private func addLimit(ofSliceBytes bytes: Int, to buffers: inout PictureBuffers) throws(EncoderError) {
        try buffers.add(
            VAEncMiscParameterTypeMaxSliceSize,
            VAEncMiscParameterMaxSliceSize(max_slice_size: UInt32(bytes), va_reserved: (0, 0, 0, 0)))
    }

    private func takeBuffer() throws(EncoderError) -> VACodedBuffer {
        if let idle = buffers.value.idle.popLast() { return idle }
        return try VACodedBuffer(display, id, byteCount: description.codedByteCount)
    }
}

extension Duration {
    /// Whole nanoseconds, of a duration that is not negative.
    fileprivate var nanoseconds: UInt64 {
        let (seconds, overflow) = UInt64(clamping: components.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds &+ UInt64(clamping: components.attoseconds / 1_000_000_000)
    }
}
