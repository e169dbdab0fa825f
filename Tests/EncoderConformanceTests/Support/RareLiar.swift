// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Logging
import Synchronization
import TestSupport

/// A back end that does what another one does, but for one ``RareLie``.
struct RareLiar: ImmediateBackend {
    let honest: any ImmediateBackend
    let lie: RareLie
    private let others = Others()

    init(honest: any ImmediateBackend, lie: RareLie) {
        (self.honest, self.lie) = (honest, lie)
    }

    var identifier: String { honest.identifier }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try honest.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try honest.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        var told = settings
        let before = others.open(settings.request)
        if lie == .ignoresColorWithAnotherSize, var before,
            (before.width, before.height) != (settings.request.width, settings.request.height)
        {
            let color = before.color
            (before.width, before.height) = (settings.request.width, settings.request.height)
            (before.color, before.live) = (settings.request.color, settings.request.live)
            if before == settings.request { told.request.color = color }
        }
        return RarelyLyingEncoder(
            try honest.makeEncoder(encoder, settings: told, logger: logger), settings, lie, others)
    }
}

/// What the encoders of a ``RareLiar`` know of each other.
private final class Others: Sendable {
    private struct State {
        var last: SessionConfiguration?
        var updates: [(live: LiveParameters, of: ObjectIdentifier)] = []
        var changeCount = 0
    }

    private let state = Mutex(State())

    /// Notes what an encoder is opened for; what the one before it was.
    func open(_ request: SessionConfiguration) -> SessionConfiguration? {
        state.withLock { state in
            defer { state.last = request }
            return state.last
        }
    }

    var updateCount: Int { state.withLock { $0.updates.count } }

    /// How often a session changed what its encoder takes no notice of later.
    var changeCount: Int {
        get { state.withLock { $0.changeCount } }
        set { state.withLock { $0.changeCount = newValue } }
    }

    func note(_ live: LiveParameters, of encoder: ObjectIdentifier) {
        state.withLock { $0.updates.append((live, encoder)) }
    }

    /// The last update since the first `count`, where it is of another encoder.
    func update(after count: Int, notOf encoder: ObjectIdentifier) -> LiveParameters? {
        state.withLock { state in
            guard state.updates.count > count, let last = state.updates.last, last.of != encoder else { return nil }
            return last.live
        }
    }
}

/// The open encoder of a ``RareLiar``.
private final class RarelyLyingEncoder: FrameEncoder {
    private let honest: any FrameEncoder
    private let settings: ResolvedSettings
    private let lie: RareLie
    private let others: Others
    /// What was asked for last, and what the honest encoder was told.
    private var (asked, told): (LiveParameters, LiveParameters)
    private var seenUpdates: Int
    private var updateCount = 0
    private var pictureCount = 0
    private var outputCount = 0
    private var last: (picture: PixelBuffer?, ticks: Int64)?
    private var firstStep: Int64?
    private var shownTicks: Int64 = 0
    private var waiting: SourcePicture?
    private var swapped: (picture: CodedPicture, units: [[UInt8]])?
    private var memory: [UnsafeMutableRawPointer] = []

    init(_ honest: any FrameEncoder, _ settings: ResolvedSettings, _ lie: RareLie, _ others: Others) {
        (self.honest, self.settings, self.lie, self.others) = (honest, settings, lie, others)
        (asked, told) = (settings.live, settings.live)
        seenUpdates = others.updateCount
    }

    deinit { for block in memory { free(block) } }

    /// Whether it may hold a picture more than the honest one.
    private var mayHold: Bool { settings.request.maxFrameDelayCount == nil && !settings.request.realTime }

    private var holdsMore: Bool {
        switch lie {
        case .forgetsForcingAtTheEnd: mayHold
        case .swapsTimesOfTwoPictures: mayHold && honest.reorderDepth > 0
        default: false
        }
    }

    var reorderDepth: Int { honest.reorderDepth }
    var maximumDelay: Int { honest.maximumDelay + (holdsMore ? 1 : 0) }
    var adjustments: [Adjustment] { honest.adjustments }
    var parameterSets: [[UInt8]]? { get throws(EncoderError) { try honest.parameterSets } }

    // MARK: - What goes in

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        pictureCount += 1
        if picture.id == 0 { others.changeCount = 0 }
        if lie == .growsWithEachPicture, let block = malloc(4096) { memory.append(memset(block, 1, 4096)) }
        if lie == .passesUpdatesOnToOthers,
            let live = others.update(after: seenUpdates, notOf: ObjectIdentifier(self))
        {
            seenUpdates = others.updateCount
            _ = try honest.update(live)
        }
        if lie == .dropsPicturesAtARateLate, pictureCount % 120 == 119, !picture.options.forceKeyFrame,
            asked.rate.control.bitsPerSecond != nil
        {
            return try emit(.dropped(id: picture.id, reason: .rateControl))
        }
        if let first = waiting {
            waiting = nil
            try give(first, emit)
        }
        if lie == .forgetsForcingAtTheEnd, holdsMore, picture.options.forceKeyFrame {
            waiting = picture
        } else {
            try give(picture, emit)
        }
    }

    private func give(_ picture: SourcePicture, _ emit: EncoderOutput.Handler) throws(EncoderError) {
        var (pixels, ticks) = (picture.pixelBuffer, picture.ticks)
        switch lie {
        case .swapsChromaOfOneFormatLate where pictureCount > 40 && pixels.format == .nv12:
            pixels = try copy(of: pixels, swapsChroma: true)
        case .showsOldPicturesAfterPauses:
            let timescale = Int64(settings.plan.timescale)
            let isLate = last.map { ticks - $0.ticks > 3 * timescale } ?? false
            let shown = try copy(of: pixels)
            if isLate, let shown = last?.picture { pixels = shown }
            last = (shown, ticks)
        case .countsPicturesLate:
            if let last, firstStep == nil { firstStep = ticks - last.ticks }
            if pictureCount <= 100 { shownTicks = ticks } else { shownTicks += firstStep ?? 1 }
            last = (nil, ticks)
            ticks = shownTicks
        default: break
        }
        let given = SourcePicture(id: picture.id, pixelBuffer: pixels, ticks: ticks, options: picture.options)
        try honest.encode(given) { (output) throws(EncoderError) in try pass(output, to: emit) }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        if let held = waiting {
            waiting = nil
            var options = held.options
            options.forceKeyFrame = false
            try give(
                SourcePicture(id: held.id, pixelBuffer: held.pixelBuffer, ticks: held.ticks, options: options), emit)
        }
        let outcome = try honest.flush { (output) throws(EncoderError) in try pass(output, to: emit) }
        if let (picture, units) = swapped {
            swapped = nil
            try write(picture, units, to: emit)
        }
        return outcome
    }

    func update(_ next: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        updateCount += 1
        let before = asked
        asked = next
        others.note(next, of: ObjectIdentifier(self))
        seenUpdates = others.updateCount
        var new = next
        switch lie {
        case .followsOneOfTwoChanges:
            let changesRate = next.rate.control != before.rate.control
            let changesBound = next.asked.maxAllowedFrameQP != before.asked.maxAllowedFrameQP
            if changesRate || !changesBound { new.asked.maxAllowedFrameQP = told.asked.maxAllowedFrameQP }
        case .ignoresTheSecondLongerInterval:
            if next.asked.maxKeyFrameInterval ?? .max > before.asked.maxKeyFrameInterval ?? .max {
                others.changeCount += 1
            }
            if others.changeCount > 1 { new.asked.maxKeyFrameInterval = told.asked.maxKeyFrameInterval }
        case .ignoresMethodsFromTheThird:
            if next.rate.control.setting != before.rate.control.setting { others.changeCount += 1 }
            if others.changeCount > 2 { new.rate = told.rate }
        default: break
        }
        let effect = try honest.update(new)
        if effect != .withAnotherEncoder { told = new }
        return effect
    }

    // MARK: - What comes out

    private func pass(_ output: borrowing EncoderOutput, to emit: EncoderOutput.Handler) throws(EncoderError) {
        switch output {
        case .coded(var picture):
            outputCount += 1
            if updateCount > 0 && lie == .tellsOldQuantizersAfterUpdates {
                picture.averageQP = 30
            }
            let units = picture.nalUnits.map { Array($0) }
            if let (first, firstUnits) = swapped {
                swapped = nil
                var (early, late) = (first, picture)
                if picture.id == first.id - 1 { (early.id, late.id) = (picture.id, first.id) }
                try write(early, firstUnits, to: emit)
                try write(late, units, to: emit)
            } else if lie == .swapsTimesOfTwoPictures, holdsMore, outputCount > 100, picture.isReference,
                picture.pictureType == .b
            {
                swapped = (picture, units)
            } else {
                try write(picture, units, to: emit)
            }
        case .dropped(let id, let reason): try emit(.dropped(id: id, reason: reason))
        }
    }

    private func write(
        _ picture: CodedPicture, _ units: [[UInt8]], to emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        try withTransientUnits(units) { (buffers) throws(EncoderError) in
            var picture = picture
            picture.nalUnits = buffers
            try emit(.coded(picture))
        }
    }

    // MARK: - Pictures

    /// A picture in memory of its own, with Cb and Cr of NV12 exchanged or not.
    private func copy(of picture: PixelBuffer, swapsChroma: Bool = false) throws(EncoderError) -> PixelBuffer {
        guard picture.kind == .memory else { return picture }
        var copy = try MutablePixelBuffer(format: picture.format, width: picture.width, height: picture.height)
        for plane in 0..<picture.format.planeCount {
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            let rows = picture.format.rows(plane: plane, height: picture.height)
            copy.withMutablePlane(plane) { target, targetStride in
                picture.withPlane(plane) { bytes, stride in
                    for row in 0..<rows {
                        for column in 0..<rowBytes {
                            let from = swapsChroma && plane == 1 ? column ^ 1 : column
                            target[row * targetStride + column] = bytes[row * stride + from]
                        }
                    }
                }
            }
        }
        return PixelBuffer(copy)
    }
}
