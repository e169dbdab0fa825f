// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import ParameterSets
import TestSupport

/// Codes frames 1, 3, 5… after the frame that follows them, unless that is a key frame: without a preset, not in real
/// time, and where reordering and delay are allowed.
final class ModelEncoder: FrameEncoder {
    private var settings: ResolvedSettings
    private let flaw: ModelFlaw?
    private let skips: Bool
    private let shelf: PictureShelf
    private var held: [SourcePicture] = []
    /// Frames since the last key frame, in display order.
    private var sinceKey = 0
    private var keys: Set<Int> = []
    /// The keys that are recovery points and no IDR.
    private var openKeys: Set<Int> = []
    private var isLate = false
    private var mustStart = false
    private var output = 0
    /// The frame that was coded after the one that follows it.
    private var overtaken = -1
    private var setsVersion: UInt8 = 0
    private var lastIDRPicID: Int?
    private var lastIDR = 0
    private var bucket: ModelBucket
    private var lastShown: PixelBuffer?
    private var hasEnded = false

    init(_ settings: ResolvedSettings, flaw: ModelFlaw?, skips: Bool, shelf: PictureShelf) {
        self.settings = settings
        self.skips = skips
        self.flaw = flaw
        self.shelf = shelf
        bucket = ModelBucket(settings)
        shelf.noteEncoder(1)
    }

    deinit { shelf.noteEncoder(-1) }

    private var reorders: Bool { settings.modelReorders }

    var reorderDepth: Int { reorders ? 1 : 0 }

    private var delay: Int {
        let lookahead = settings.request.preset == nil && !settings.request.realTime ? 4 : 0
        let delay = min(max(lookahead, reorderDepth), settings.request.maxFrameDelayCount ?? lookahead)
        let isLive = settings.request.realTime
        switch flaw {
        case .holdsTooMany: return delay + 2
        case .holdsWithPresets: return isLive && settings.request.preset != nil ? delay + 3 : delay
        case .holdsToLearnDurations: return isLive && !settings.plan.isFrameRateKnown ? delay + 1 : delay
        default: return delay
        }
    }

    var maximumDelay: Int {
        switch flaw {
        case .understatesItsDelay, .holdsToLearnDurations: max(delay - 1, 0)
        default: delay
        }
    }

    /// Its sizes follow the quantizer alone where no rate is asked for.
    var adjustments: [Adjustment] {
        let live = settings.live.rate
        guard let level = settings.plan.level, live.buffer == nil,
            [.quality, .constantRateFactor].contains(live.control.setting)
        else { return [] }
        return [
            Adjustment(
                .profileLevel, requested: "level \(level) in tenths", used: "with any bit rate",
                reason: "the model bounds no quality")
        ]
    }

    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) { try ModelStream.sets(settings, version: flaw == .tellsOtherSets ? 1 : 0) }
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        guard !hasEnded else { throw EncoderError(.backendFailure, reason: "the model takes nothing after its end") }
        planKey(picture)
        if flaw == .keepsPictures { shelf.leak(picture.pixelBuffer) }
        held.append(picture)
        while held.count > delay { try write(emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        if flaw == .hangsWhenDrained { sleep(5) }
        while held.count > (flaw == .losesLastFrame ? 1 : 0) { try write(emit) }
        hasEnded = true
        return .ended
    }

    func update(_ live: LiveParameters) -> LiveParameters.Effect {
        switch flaw {
        case .startsAnewOnUpdates: mustStart = true
        case .changesSetsOnUpdates:
            setsVersion += 1
            mustStart = true
        default: break
        }
        settings.live = live
        bucket.change(to: live)
        return .fromNextPicture
    }

    // MARK: - Planning

    private func planKey(_ picture: SourcePicture) {
        let interval = settings.live.asked.maxKeyFrameInterval
        let isForced = flaw == .forcesOneFrameLate ? isLate : picture.options.forceKeyFrame
        isLate = picture.options.forceKeyFrame
        let isDue = interval.map { sinceKey >= $0 } ?? false
        let mustBeIDR = keys.isEmpty || isForced || mustStart
        if mustBeIDR || isDue {
            keys.insert(picture.id)
            if !mustBeIDR, settings.request.allowOpenGOP { openKeys.insert(picture.id) }
            sinceKey = 0
            mustStart = false
        }
        sinceKey += 1
    }

    private func write(
        _ emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        let swaps =
            reorders && held.count > 1 && held[0].id % 2 == 1 && held[1].id == held[0].id + 1
            && !keys.contains(held[0].id) && (!keys.contains(held[1].id) || flaw == .predictsAcrossSync)
        if swaps { overtaken = held[0].id }
        let isB = !swaps && held[0].id == overtaken
        let picture = held.remove(at: swaps ? 1 : 0)
        if try mustSkip(picture, emit) { return }
        let isKey = keys.contains(picture.id)
        let isOpen = openKeys.contains(picture.id)
        let isIDR = isKey && !isOpen && !(flaw == .forcesWithoutIDR && picture.options.forceKeyFrame)
        if isIDR { (lastIDR, lastIDRPicID) = (picture.id, lastIDRPicID.map { 1 - $0 } ?? 0) }
        var units = isIDR ? try ModelStream.sets(settings, version: setsVersion) : []
        if flaw == .changesSetsAnywhere, output == 2 { units = try ModelStream.sets(settings, version: 9) }
        if flaw == .writesVersion, output == 0 { units.append(ModelStream.versionSEI(settings.request.codec)) }
        let slice = ModelStream.Slice(
            isIDR: isIDR, isReference: !isB, kind: isKey ? .i : (isB ? .b : .p), quantizer: quantizer(isKey, isB),
            idrPicID: lastIDRPicID ?? 0, order: picture.id - lastIDR)
        units += try slices(slice, of: picture)
        if flaw == .leavesStartCodes { units = units.map { [0, 0, 0, 1] + $0 } }
        output += 1
        let type: AccessUnit.PictureType =
            isKey ? (flaw == .callsSyncFramesPredicted ? .p : .i) : (isB ? .b : .p)
        try withTransientUnits(units) { (buffers) throws(EncoderError) in
            let coded = CodedPicture(
                id: picture.id, pictureType: type, isReference: !isB || flaw == .callsEveryFrameReference,
                isRecoveryPoint: isOpen, nalUnits: buffers)
            try emit(.coded(coded))
            if flaw == .givesPicturesTwice, output == 3 { try emit(.coded(coded)) }
        }
    }

    /// Leaves a frame out where there are few bits; a key frame that the interval asked for comes with the next.
    private func mustSkip(
        _ picture: SourcePicture, _ emit: EncoderOutput.Handler
    ) throws(EncoderError) -> Bool {
        guard skips, case .averageBitRate(..<20_000) = settings.live.rate.control, picture.id % 3 == 2 else {
            return false
        }
        if flaw == .startsAnewAfterSkips || (keys.contains(picture.id) && !picture.options.forceKeyFrame) {
            mustStart = true
        }
        if flaw != .losesSkippedFrames { try emit(.dropped(id: picture.id, reason: .rateControl)) }
        return flaw != .writesSkippedFrames
    }

    // MARK: - Writing

    private func slices(_ slice: ModelStream.Slice, of picture: SourcePicture) throws(EncoderError) -> [[UInt8]] {
        let isBiplanarSource = settings.picture.bitDepth == 8 && flaw == .mistakesLayout && output % 2 == 1
        let repeats = flaw == .repeatsPictures && picture.id % 50 == 49
        let shown = (repeats ? lastShown : nil) ?? picture.pixelBuffer
        lastShown = flaw == .repeatsPictures ? picture.pixelBuffer : nil
        let format = settings.picture
        let id = shelf.put(
            shown, width: format.codedWidth - (flaw == .showsPadding ? 0 : format.cropRight),
            height: format.codedHeight - (flaw == .showsPadding ? 0 : format.cropBottom),
            darker: flaw == .darkensPictures || isBiplanarSource ? 6 : 0)
        let header = try ModelStream.slice(slice, [], settings)
        let others = flaw == .sharesState ? shelf.openEncoders : 0
        let size = byteCount(of: picture, isKey: slice.isIDR, quantizer: slice.quantizer)
        let count = max(size - header.count - ModelStream.endByteCount, 1) + others
        let filler = [UInt8](repeating: settings.request.modelSignature, count: count)
        let unit = header + ModelStream.data(of: id, filler: filler)
        return flaw == .cutsSlices ? [unit, unit] : [unit]
    }

    /// The quantizer of a picture; what decides it when the mode leaves it open does not matter.
    private func quantizer(_ isKey: Bool, _ isB: Bool) -> Int {
        let offset = isKey ? -2 : (isB ? 2 : 0)
        let base: Double =
            switch settings.live.rate.control {
            case .automatic, .averageBitRate, .constantBitRate, .variableBitRate: 28
            case .quality(let quality): 51 - 46 * quality
            case .constantRateFactor(let factor): factor
            case .constantQuantizer(let quantizer): Double(quantizer)
            }
        return min(
            max(Int(base) + offset, settings.live.asked.minAllowedFrameQP ?? 0),
            settings.live.asked.maxAllowedFrameQP ?? 51)
    }

    /// With a rate, every frame gets its share of it, less what the framing adds; else what its picture needs.
    private func byteCount(of picture: SourcePicture, isKey: Bool, quantizer: Int) -> Int {
        let needed = isFlat(picture) ? 20 : Int(300 * pow(2, Double(28 - quantizer) / 6))
        guard let share = bucket.share(at: picture.ticks, settings, isFirst: output == 0) else { return needed }
        let factor =
            switch flaw {
            case .missesAverage: 1.4
            case .exceedsLimits: isKey ? 30.0 : 1
            default: 1.0
            }
        return Int(share * factor) - 4
    }

    private func isFlat(_ picture: SourcePicture) -> Bool {
        picture.pixelBuffer.withPlane(0) { bytes, stride in
            bytes[..<settings.request.width].allSatisfy { $0 == bytes[0] }
        }
    }
}

/// How many bytes a frame may have so that average and buffer are kept, whatever the distance of the frames.
struct ModelBucket {
    private var fullness: Double
    private var lastTicks: Int64?

    init(_ settings: ResolvedSettings) {
        fullness = settings.live.rate.buffer.map { Double($0.bits) * settings.position.bufferFullness } ?? 0
    }

    /// Goes on with other parameters; what is there stays as far as it fits.
    mutating func change(to live: LiveParameters) {
        fullness = min(fullness, live.rate.buffer.map { Double($0.bits) } ?? fullness)
    }

    /// The bytes of a frame at a tick; nil where no rate bounds it.
    ///
    /// At a variable rate the first has a sixteenth of what the buffer holds, where that is more than its share.
    mutating func share(at ticks: Int64, _ settings: ResolvedSettings, isFirst: Bool) -> Double? {
        let average = settings.live.rate.control.bitsPerSecond
        let buffer = settings.live.rate.buffer
        guard let rate = [average, buffer?.peakBitsPerSecond].compactMap({ $0 }).min() else { return nil }
        let share = Double(rate) / 8 / max((settings.live.pace ?? settings.plan.frameRate).framesPerSecond, 1)
        guard let buffer else { return share }
        if let lastTicks {
            let seconds = Double(ticks - lastTicks) / Double(settings.plan.timescale)
            fullness = min(fullness + seconds * Double(buffer.peakBitsPerSecond), Double(buffer.bits))
        }
        lastTicks = max(ticks, lastTicks ?? ticks)
        var wanted = share
        if isFirst, case .variableBitRate = settings.live.rate.control { wanted = max(share, fullness / 128) }
        let bytes = min(wanted, max(fullness / 8, 0))
        fullness -= bytes * 8
        return bytes
    }
}

extension ResolvedSettings {
    /// Whether the model codes pictures out of order with these settings.
    var modelReorders: Bool {
        plan.allowFrameReordering && request.preset == nil && !request.realTime && request.maxFrameDelayCount ?? 4 > 0
    }
}

extension SessionConfiguration {
    /// A byte of 0x80 or more that tells the settings of the library apart.
    fileprivate var modelSignature: UInt8 {
        let text = "\(preset ?? "-") \(tune ?? "-") \(threadCount ?? 0) \(sourceFrameCount ?? 0) \(nativeOptions)"
        let hash = text.utf8.reduce(UInt32(7)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return 0x80 | UInt8(hash >> 16 & 0x7F)
    }
}
