// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import SyntheticPictures
import MediaFiles
import PictureQuality
import Synchronization
import VAAPIBackend

/// Takes one case through an encoder and back.
struct SelfTestRun {
    let encoder: EncoderDescription
    let backend: any EncoderBackend
    let test: SelfTestCase

    /// Seconds without a picture after which a case is given up, so that a machine that hangs is told soon.
    private static let patience = 10
    /// Seconds that a case may take in all: a GPU needs a fraction, a driver on a busy processor some of them.
    private static let deadline = 60
    /// Ticks of a second; pictures are one apart.
    private static let frameRate: Int32 = 25

    /// Runs it; what fails is in the result.
    func result() async -> SelfTest {
        var result = SelfTest(encoder: encoder.id.rawValue, name: test.name)
        (result.width, result.height) = (test.width, test.height)
        var outcome = SelfTestOutcome()
        do {
            let units = try await encode(into: &outcome, &result)
            if !units.isEmpty {
                var hash = SHA256()
                for unit in units { unit.data.withUnsafeBytes { hash.update($0) } }
                result.streamSHA256 = hash.finish()
                try decode(units, into: &outcome, &result)
            }
        } catch let error as EncoderError {
            outcome.error = outcome.lateness == nil ? error : nil
        } catch {
            outcome.error = EncoderError(.backendFailure, reason: "\(error)")
        }
        result.dropped = outcome.dropped.map(\.reason)
        result.error = outcome.error?.description
        (result.verdict, result.finding) = outcome.verdict(of: test)
        return result
    }

    private func video(at index: Int, pixelFormat: PixelFormat? = nil) -> SyntheticVideo {
        var (width, height) = (test.width, test.height)
        if case .size(let nextWidth, let nextHeight) = test.change, index >= test.changeIndex {
            (width, height) = (nextWidth, nextHeight)
        }
        return SyntheticVideo(
            format: pixelFormat ?? (test.bitDepth > 8 ? .i010 : .i420), width: width, height: height,
            content: test.isBusy ? .busy : .calm)
    }

    private func encode(
        into outcome: inout SelfTestOutcome, _ result: inout SelfTest
    ) async throws -> [AccessUnit] {
        var configuration = SessionConfiguration(
            codec: encoder.codec, width: test.width, height: test.height,
            pixelFormat: test.usesSurfaces ? .nv12 : video(at: 0).format)
        configuration.live.rateControl = test.rate
        configuration.live.expectedFrameRate = 25
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        configuration.pipelineCapacity = 8
        let session = try CompressionSession(
            configuration, encoder: encoder, of: backend, logger: StandardErrorLog.logger(isVerbose: false))
        let latest = Progress(patience: Self.patience, deadline: Self.deadline)
        let watch = Task { [session] in
            while let wait = latest.nextLook() {
                try await Task.sleep(until: wait)
            }
            session.invalidate()
        }
        defer { watch.cancel() }
        async let given: EncoderError? = fault(of: session)
        var units: [AccessUnit] = []
        do {
            for try await frame in session.encodedFrames {
                latest.came()
                result.frames += 1
                let index = Int(frame.presentationTime.value)
                if let unit = frame.accessUnit {
                    units.append(unit)
                    outcome.units.append(.init(index: index, isSync: unit.isSync, byteCount: unit.data.count))
                }
                if let reason = frame.dropReason { outcome.dropped.append((index, "\(reason)")) }
            }
            if let fault = await given { throw fault }
        } catch {
            if latest.lateness == nil { outcome.error = error as? EncoderError }
        }
        outcome.lateness = latest.lateness
        result.sizes = units.map(\.data.count)
        result.types = units.map(\.pictureType.rawValue).joined()
        result.adjustments = session.adjustments.map(\.description)
        return units
    }

    /// What gives the session its pictures ends with, which ends the session: nil where it took them all.
    private func fault(of session: CompressionSession) async -> EncoderError? {
        do throws(EncoderError) {
            try await give(to: session)
            return nil
        } catch {
            session.invalidate()
            return error
        }
    }

    private func give(to session: CompressionSession) async throws(EncoderError) {
        try await session.prepare()
        for index in 0..<test.frameCount {
            var options = FrameOptions()
            if index == test.changeIndex {
                switch test.change {
                case nil: break
                case .keyFrame: options.forceKeyFrame = true
                case .bitRate(let bitsPerSecond): _ = try await session.update { $0.averageBitRate = bitsPerSecond }
                case .size(let width, let height):
                    _ = try await session.changePictures(width: width, height: height)
                }
            }
            try await session.encode(
                try picture(at: index, of: session), at: MediaTime(value: Int64(index), timescale: Self.frameRate),
                options: options)
        }
        try await session.finish()
    }

    /// A picture in memory, or copied to one of the session's where it is to be a surface.
    private func picture(at index: Int, of session: CompressionSession) throws(EncoderError) -> PixelBuffer {
        guard test.usesSurfaces else { return try video(at: index).picture(at: index) }
        let source = try video(at: index, pixelFormat: .nv12).picture(at: index)
        var target = try session.pixelBufferPool.makeMutablePixelBuffer()
        for plane in 0..<source.format.planeCount {
            let count = source.format.rowBytes(plane: plane, width: source.width)
            let rows = source.format.rows(plane: plane, height: source.height)
            target.withMutablePlane(plane) { bytes, bytesPerRow in
                source.withPlane(plane) { samples, sourceBytesPerRow in
                    for row in 0..<rows {
                        UnsafeMutableRawBufferPointer(rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + count])
                            .copyMemory(
                                from: UnsafeRawBufferPointer(
                                    rebasing: samples[row * sourceBytesPerRow..<row * sourceBytesPerRow + count]))
                    }
                }
            }
        }
        let picture = PixelBuffer(target)
        guard picture.kind == .surface else {
            throw EncoderError(.unsupported, reason: "the driver's surfaces cannot be written in place")
        }
        return test.usesDMABufs ? try VAAPIBackend.dmaBuf(of: picture) : picture
    }

    private func decode(
        _ units: [AccessUnit], into outcome: inout SelfTestOutcome, _ result: inout SelfTest
    ) throws {
        guard let decoder = try? StreamDecoder(codec: encoder.codec) else { return }
        var decoded: [DecodedPicture] = []
        for (index, unit) in units.enumerated() {
            decoded += try decoder.decode(
                unit.data, presentationTime: MediaTime(value: Int64(index), timescale: Self.frameRate))
        }
        decoded += try decoder.finish()
        result.decodedFrames = decoded.count
        var errors = 0.0
        outcome.pictures = try decoded.enumerated().map { index, picture in
            let shown = picture.picture
            var seen = SelfTestOutcome.Picture(
                isDamaged: picture.isDamaged, width: shown.width, height: shown.height, psnr: nil)
            let source = video(at: index)
            guard outcome.dropped.isEmpty, (shown.width, shown.height) == (source.width, source.height) else {
                return seen
            }
            let pair = try PicturePair(source: try source.picture(at: index), decoded: shown)
            let error = pair.measure(MeanSquaredError(), plane: 0) ?? 0
            errors += error
            // Equal pictures have no ratio, and JSON has no infinity.
            if error > 0 { seen.psnr = PSNR.decibels(meanSquaredError: error, bitDepth: test.bitDepth) }
            return seen
        }
        if errors > 0 {
            result.lumaPSNR = PSNR.decibels(meanSquaredError: errors / Double(decoded.count), bitDepth: test.bitDepth)
        }
    }
}

/// When the last picture of a case came, for what waits for the next.
private final class Progress: Sendable {
    private struct State {
        var latest = ContinuousClock.now
        var lateness: SelfTestOutcome.Lateness?
    }

    private let patience: Int
    private let deadline: Int
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: Seconds that may pass without a picture.
    ///   - deadline: Seconds for all.
    init(patience: Int, deadline: Int) { (self.patience, self.deadline) = (patience, deadline) }

    /// What the case is late by; nil while it is not.
    var lateness: SelfTestOutcome.Lateness? { state.withLock { $0.lateness } }

    func came() { state.withLock { $0.latest = .now } }

    /// When to look again; nil where the case is late now.
    func nextLook() -> ContinuousClock.Instant? {
        state.withLock { state in
            let (now, silent, end) = (
                ContinuousClock.now, state.latest + .seconds(patience), start + .seconds(deadline)
            )
            if now >= silent {
                state.lateness = .silent(seconds: patience)
            } else if now >= end {
                state.lateness = .unfinished(seconds: deadline)
            }
            return state.lateness == nil ? min(silent, end) : nil
        }
    }
}
