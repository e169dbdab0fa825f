// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import BackendSupport
import Logging

/// Opens a device's encoder, and opens it again after a failure.
struct VAEncoderOpening: Sendable {
    let device: VADevice
    let encoder: VAListedEncoder
    let settings: ResolvedSettings
    let logger: Logger

    /// A driver's encoder that is open.
    struct Opened {
        let display: VADisplayHandle
        let plan: VAStreamPlan
        let stream: StreamConfiguration
        let codec: any CodecDriver
        let rate: VARatePlan
        /// The `VA_RC_` bits that the driver lists and did not refuse.
        let modes: UInt32
        let context: VAEncodeContext
    }

    /// Opens the encoder, and once more where the driver failed: a session that goes on with another encoder is not to
    /// end by one call that was refused, no more than by one picture.
    ///
    /// - Throws: ``EncoderError`` as ``open(on:)``, of the second time.
    func openAgain(on display: VADisplayHandle) throws(EncoderError) -> Opened {
        do throws(EncoderError) {
            return try open(on: display)
        } catch  where error.status != nil && [.backendFailure, .outOfMemory].contains(error.code) {
            logger.warning("\(device): \(error.description); trying once more")
            return try open(on: device.canReopen ? VADisplayHandle(opening: device, logger: logger) : display)
        }
    }

    /// Tries the ways to control the rate, until the driver takes one and codes a picture with it.
    ///
    /// - Throws: ``EncoderError`` of the first way, when the driver takes none; at once where memory is short, or where
    ///   the driver does not come back, which may hold up every other call.
    func open(on display: VADisplayHandle) throws(EncoderError) -> Opened {
        let plan = try VAStreamPlan(settings, encoder)
        var refusal: EncoderError?
        var modes = plan.profile.traits.rateControl
        for rate in plan.rates {
            let stream = try StreamConfiguration(settings, plan, rate: rate)
            let codec: any CodecDriver =
                switch settings.request.codec {
                case .h264: try H264Driver(stream)
                case .hevc: try HEVCDriver(stream)
                }
            do throws(EncoderError) {
                try tryOut(rate, codec, plan, on: display)
                let context = try context(codec, plan, mode: rate.mode, on: display)
                return Opened(
                    display: display, plan: plan, stream: stream, codec: codec, rate: rate.blaming(refusal),
                    modes: modes, context: context)
            } catch  where error.code == .outOfMemory || error.code == .deviceLost {
                throw error
            } catch {
                logger.info(
                    "\(encoder.description): no rate control of mode 0x\(String(rate.mode, radix: 16)): \(error)")
                refusal = refusal ?? error
                modes &= ~rate.mode
            }
        }
        throw refusal ?? EncoderError(.unsupported, reason: "\(encoder.description) has no rate control")
    }

    /// A context like one that failed, for the rest of its stream.
    func context(
        like failed: VAEncodeContext, mode: UInt32, on display: VADisplayHandle? = nil
    ) throws(EncoderError) -> VAEncodeContext {
        try VAEncodeContext(
            display ?? failed.display, failed.description, references: failed.references.restarted, mode: mode)
    }

    /// What the encoder does with settings that neither rates nor profiles decide.
    func adjustments(_ plan: VAStreamPlan) -> [Adjustment] {
        var adjustments: [Adjustment] = .noPlan(settings.request, reason: "the device does not look ahead")
        let most = LevelPlanner.mostFramesPerSecond(settings.request.codec)
        if settings.plan.level == nil, settings.plan.frameRate.framesPerSecond > most {
            adjustments.append(
                Adjustment(
                    .expectedFrameRate, requested: "\(settings.plan.frameRate)", used: "a level for \(Int(most))",
                    reason: "levels that drivers know allow no more frames per second"))
        }
        return adjustments
    }

    private func context(
        _ codec: any CodecDriver, _ plan: VAStreamPlan, mode: UInt32, on display: VADisplayHandle
    ) throws(EncoderError) -> VAEncodeContext {
        let description = VAEncodeContext.Description(
            profile: plan.profile.driverProfile, entrypoint: encoder.entrypoint, traits: plan.profile.traits,
            bitDepth: settings.picture.bitDepth, width: codec.codedWidth, height: codec.codedHeight,
            delimits: plan.options.delimits == true, sliceBytes: plan.options.sliceBytes, regions: plan.options.regions)
        return try VAEncodeContext(
            display, description, references: ReferenceTracker(plan.references, mostCoding: plan.mostCoding), mode: mode
        )
    }

    /// Codes a black picture where a bit rate is kept: on Intel GPUs without firmware, some drivers list rate control,
    /// take it, and give out nothing.
    private func tryOut(
        _ rate: VARatePlan, _ codec: any CodecDriver, _ plan: VAStreamPlan, on display: VADisplayHandle
    ) throws(EncoderError) {
        guard rate.mostBitsPerSecond > 0 else { return }
        let context = try context(codec, plan, mode: rate.mode, on: display)
        let input = VAInput(display, context.description, plan: plan)
        let picture = try PixelBuffer(black: settings.picture)
        let submission = try context.submit(
            try context.plan(.init(id: 0, kind: .idr, displayIndex: 0)), try input.take(picture), codec,
            sequence: SequenceFacts(interval: 1, distance: 1, bitsPerSecond: rate.mostBitsPerSecond), rate: rate,
            qualityLevel: plan.qualityLevel)
        guard try context.wait(for: submission, until: .now + Self.trialPatience) else {
            let late = "a first picture was not coded within \(Self.trialPatience)"
            if context.letGo(with: [input, submission]) {
                throw EncoderError(.deviceLost, reason: "\(device): \(late), and vaSyncSurface does not return")
            }
            throw EncoderError(.timedOut, reason: late)
        }
        defer { context.finish(submission) }
        try submission.codedBuffer.read { _, _ throws(EncoderError) in }
    }

    /// Much for one picture, and little for who waits for a session.
    private static let trialPatience = Duration.seconds(1)
}

extension PixelBuffer {
    /// Black, of limited range.
    fileprivate convenience init(black picture: PictureFormat) throws(EncoderError) {
        var buffer = try MutablePixelBuffer(
            format: picture.pixelFormat, width: picture.codedWidth, height: picture.codedHeight)
        for plane in 0..<picture.pixelFormat.planeCount {
            // Ten bits stand in the high bits of 16, so that the upper byte says it.
            let value: UInt8 = plane == 0 ? 16 : 128
            buffer.withMutablePlane(plane) { bytes, _ in
                for index in bytes.indices { bytes[index] = picture.bitDepth > 8 && index % 2 == 0 ? 0 : value }
            }
        }
        self.init(buffer)
    }
}
