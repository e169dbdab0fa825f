// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// Codes frames 1, 3, 5… of each group after the frame that follows them, unless told not to reorder.
final class FakeEncoder: FrameEncoder {
    private var settings: ResolvedSettings
    private let flaw: FakeFlaw?
    private let shelf: FakeShelf
    private var held: [SourcePicture] = []
    /// Frames since the last key frame, in display order.
    private var sinceKey = 0
    private var keys: Set<Int> = []
    private var isLate = false
    private var mustStart = false
    private var output = 0
    /// The frame that was coded after the one that follows it.
    private var overtaken = -1
    private var setsVersion: UInt8 = 0

    init(_ settings: ResolvedSettings, flaw: FakeFlaw?, shelf: FakeShelf) {
        self.settings = settings
        self.flaw = flaw
        self.shelf = shelf
        shelf.noteEncoder(1)
    }

    deinit { shelf.noteEncoder(-1) }

    private var reorders: Bool {
        if flaw == .reordersAnyway { return true }
        return settings.allowFrameReordering && settings.preset == nil && !settings.realTime
            && settings.maxFrameDelayCount ?? 4 > 0
    }

    var reorderDepth: Int { reorders ? 1 : 0 }

    var maximumDelay: Int {
        let lookahead = settings.preset == nil && !settings.realTime ? 4 : 0
        let delay = min(max(lookahead, reorderDepth), settings.maxFrameDelayCount ?? lookahead)
        return flaw == .holdsTooMany ? delay + 2 : delay
    }

    let adjustments: [Adjustment] = []

    func encode(_ picture: SourcePicture, emit: (borrowing EncoderOutput) -> Void) {
        planKey(picture)
        if flaw == .keepsPictures { shelf.leak(picture.pixelBuffer) }
        held.append(picture)
        while held.count > maximumDelay { write(emit) }
    }

    func drain(emit: (borrowing EncoderOutput) -> Void) {
        if flaw == .hangsWhenDrained { sleep(5) }
        while held.count > (flaw == .losesLastFrame ? 1 : 0) { write(emit) }
    }

    func update(_ settings: ResolvedSettings) -> Bool {
        switch flaw {
        case .ignoresUpdates: return true
        case .lacksUpdates: return false
        case .startsAnewOnUpdates: mustStart = true
        case .changesSetsOnUpdates:
            setsVersion += 1
            mustStart = true
        default: break
        }
        self.settings = settings
        return true
    }

    // MARK: - Planning

    private func planKey(_ picture: SourcePicture) {
        let interval = flaw == .ignoresKeyFrameInterval ? 0 : settings.maxKeyFrameInterval
        let isForced = flaw == .forcesOneFrameLate ? isLate : picture.forceKeyFrame && flaw != .ignoresForcedKeyFrames
        isLate = picture.forceKeyFrame
        let isDue = interval > 0 && sinceKey >= interval
        if keys.isEmpty || isForced || isDue || mustStart {
            keys.insert(picture.id)
            sinceKey = 0
            mustStart = false
        }
        sinceKey += 1
    }

    private func write(_ emit: (borrowing EncoderOutput) -> Void) {
        let swaps =
            reorders && held.count > 1 && held[0].id % 2 == 1 && held[1].id == held[0].id + 1
            && !keys.contains(held[0].id) && (!keys.contains(held[1].id) || flaw == .predictsAcrossSync)
        if swaps { overtaken = held[0].id }
        let isB = !swaps && held[0].id == overtaken
        let picture = held.remove(at: swaps ? 1 : 0)
        let isKey = keys.contains(picture.id)
        let isIDR = isKey && !(flaw == .forcesWithoutIDR && picture.forceKeyFrame)
        var units = isIDR ? FakeStream.sets(settings, version: setsVersion) : []
        if flaw == .changesSetsAnywhere, output == 2 { units = FakeStream.sets(settings, version: 9) }
        if flaw == .writesVersion, output == 0 { units.append(FakeStream.versionSEI(settings.codec)) }
        units += slices(of: picture, isIDR: isIDR, isReference: !isB)
        output += 1
        let type: AccessUnit.PictureType =
            isKey ? (flaw == .callsSyncFramesPredicted ? .p : .i) : (isB ? .b : .p)
        emitUnits(units) { buffers in
            emit(
                .coded(
                    CodedPicture(
                        id: picture.id, pictureType: type, isReference: !isB || flaw == .callsEveryFrameReference,
                        nalUnits: buffers)))
        }
    }

    // MARK: - Writing

    private func slices(of picture: SourcePicture, isIDR: Bool, isReference: Bool) -> [[UInt8]] {
        let isBiplanarSource = settings.bitDepth == 8 && flaw == .mistakesLayout && output % 2 == 1
        let id = shelf.put(
            picture.pixelBuffer, width: flaw == .showsPadding ? settings.codedWidth : (settings.width + 1) / 2 * 2,
            height: flaw == .showsPadding ? settings.codedHeight : (settings.height + 1) / 2 * 2,
            darker: flaw == .darkensPictures || isBiplanarSource ? 6 : 0)
        let header = FakeStream.sliceHeader(settings.codec, isIDR: isIDR, isReference: isReference)
        // Seven bits to a byte, the eighth set: no start code can appear.
        let name = [21, 14, 7, 0].map { UInt8(0x80 | id >> $0 & 0x7F) }
        let others = flaw == .sharesState ? shelf.openEncoders : 0
        let count = max(byteCount(of: picture, isKey: isIDR) - header.count - name.count, 1) + others
        let slice = header + name + [UInt8](repeating: 0xA5, count: count)
        return flaw == .cutsSlices ? [slice, header + [0xFF, 0xA5]] : [slice]
    }

    /// Every frame gets the same share, less what the framing adds; without a rate, what its picture needs.
    private func byteCount(of picture: SourcePicture, isKey: Bool) -> Int {
        let control: Int? = if case .averageBitRate(let rate) = settings.rate.control { rate } else { nil }
        let peak = settings.rate.buffer?.peakBitsPerSecond
        guard let rate = [control, peak].compactMap({ $0 }).min() else { return isFlat(picture) ? 20 : 300 }
        let share = Double(rate) / 8 / max(settings.frameRate.framesPerSecond, 1)
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
            bytes[..<settings.width].allSatisfy { $0 == bytes[0] }
        }
    }

    private func emitUnits(_ units: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) -> Void) {
        let joined = units.flatMap { $0 }
        joined.withUnsafeBytes { bytes in
            var offset = 0
            body(
                units.map { unit in
                    defer { offset += unit.count }
                    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + unit.count])
                })
        }
    }
}
