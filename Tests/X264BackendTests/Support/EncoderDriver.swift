// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets
import TestSupport
import X264Backend

/// One picture that came out of an encoder, copied.
struct CodedFrame: Equatable {
    var id: Int
    var type: AccessUnit.PictureType
    var isReference: Bool
    var isRecoveryPoint: Bool
    var nalUnits: [[UInt8]]

    /// nal_unit_type of each NAL unit (7.4.1).
    var unitTypes: [H264NALUnitType?] { nalUnits.map { $0.unitHeader?.type } }
    /// The coded slices.
    var slices: [[UInt8]] { nalUnits.filter(\.isSlice) }
    /// Whether all slices are of an IDR picture.
    var isIDR: Bool { !slices.isEmpty && slices.allSatisfy { $0.unitHeader?.isIDR == true } }
    /// Bytes of the slices.
    var sliceBytes: Int { slices.reduce(0) { $0 + $1.count } }
}

/// An encoder and what came out of it.
final class EncoderDriver {
    let encoder: any FrameEncoder
    private(set) var output: [CodedFrame] = []
    private let clip: TestClip
    private let settings: ResolvedSettings
    private var nextID = 0

    init(_ clip: TestClip, _ settings: ResolvedSettings, logger: Logger = .silent) throws(EncoderError) {
        self.clip = clip
        self.settings = settings
        encoder = try X264Backend().openFirst(settings, logger: logger)
    }

    /// Encodes the next `count` frames of the clip, which starts over at its end, one frame of the frame rate apart.
    ///
    /// - Returns: How many pictures came out by each call.
    @discardableResult
    func encode(_ count: Int, forcing: Set<Int> = []) throws(EncoderError) -> [Int] {
        var counts: [Int] = []
        for _ in 0..<count {
            let before = output.count
            let picture = SourcePicture(
                id: nextID,
                pixelBuffer: try clip.pixelBuffer(nextID % clip.frames.count, format: settings.picture.pixelFormat),
                ticks: Int64(nextID * clip.frameRate.denominator), forceKeyFrame: forcing.contains(nextID))
            try encoder.encode(picture) { take($0) }
            nextID += 1
            counts.append(output.count - before)
        }
        return counts
    }

    func flush() throws(EncoderError) {
        _ = try encoder.flush { take($0) }
    }

    private func take(_ result: borrowing EncoderOutput) {
        guard case .coded(let picture) = copy result else { return }
        output.append(
            CodedFrame(
                id: picture.id, type: picture.pictureType, isReference: picture.isReference,
                isRecoveryPoint: picture.isRecoveryPoint, nalUnits: picture.nalUnits.map { [UInt8]($0) }))
    }
}

extension [UInt8] {
    /// The header of an H.264 NAL unit; nil where it is illegal.
    var unitHeader: H264NALUnitHeader? { try? H264NALUnitHeader(nalUnit: self) }
    /// Whether an H.264 NAL unit is a coded slice.
    var isSlice: Bool { unitHeader?.type.isVCL == true }
}

extension TestClip {
    /// Encodes the whole clip.
    func encode(_ settings: ResolvedSettings, forcing: Set<Int> = []) throws(EncoderError) -> [CodedFrame] {
        let driver = try EncoderDriver(self, settings)
        try driver.encode(frames.count, forcing: forcing)
        try driver.flush()
        return driver.output
    }
}

extension ResolvedSettings {
    /// The same settings with a change.
    func with(_ change: (inout Self) -> Void) -> Self {
        var settings = self
        change(&settings)
        return settings
    }
}
