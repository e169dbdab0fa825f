// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets
import TestSupport
import X265Backend

/// What came out of one encoder for one clip.
struct EncodeRun {
    /// A copy of one coded picture.
    struct Picture {
        let id: Int
        let type: AccessUnit.PictureType
        let isReference: Bool
        let averageQP: Double?
        let nalUnits: [[UInt8]]

        /// The NAL units that carry samples.
        var slices: [[UInt8]] { nalUnits.filter(\.isSlice) }
        var isIDR: Bool { slices.allSatisfy { $0.unitType?.isIDR == true } }
    }

    let encoder: any FrameEncoder
    private(set) var pictures: [Picture] = []
    /// For each picture given in, the ids that were out when its call returned.
    private(set) var outAfter: [Int] = []

    /// The NAL units that carry samples, of all pictures in decode order.
    var slices: [[UInt8]] { pictures.flatMap(\.slices) }

    /// All NAL units as an elementary stream.
    var stream: [UInt8] { AnnexB.join(pictures.flatMap(\.nalUnits)) }

    /// Encodes all pictures and flushes.
    init(_ clip: TestClip, _ settings: ResolvedSettings, keyFrames: Set<Int> = []) throws {
        encoder = try X265Backend().openFirst(settings, logger: Logger(label: "test"))
        var oldest = 0
        var out: Set<Int> = []
        for index in clip.pictures.indices {
            let source = SourcePicture(
                id: index, pixelBuffer: try clip.buffer(index), ticks: Int64(index),
                forceKeyFrame: keyFrames.contains(index))
            let before = pictures.count
            try encoder.encode(source) { take($0) }
            out.formUnion(pictures[before...].map(\.id))
            while out.contains(oldest) { oldest += 1 }
            outAfter.append(oldest)
        }
        _ = try encoder.flush { take($0) }
    }

    private mutating func take(_ output: borrowing EncoderOutput) {
        switch copy output {
        case .coded(let coded):
            pictures.append(
                Picture(
                    id: coded.id, type: coded.pictureType, isReference: coded.isReference,
                    averageQP: coded.averageQP, nalUnits: coded.nalUnits.map { Array($0) }))
        case .dropped: break
        }
    }

    /// Most pictures N - (oldest picture not out yet) + 1 over all calls.
    var longestDelay: Int { outAfter.enumerated().map { $0.offset + 1 - $0.element }.max() ?? 0 }
}

extension [UInt8] {
    /// The type of an HEVC NAL unit; nil where its header is illegal.
    var unitType: HEVCNALUnitType? { (try? HEVCNALUnitHeader(nalUnit: self))?.type }
    /// Whether an HEVC NAL unit carries samples.
    var isSlice: Bool { unitType?.isVCL == true }
}

extension ResolvedSettings {
    /// Settings for a clip, with one thread and 25 pictures per second as its Y4M file says.
    init(_ clip: TestClip, _ change: (inout ResolvedSettings) -> Void = { _ in }) {
        self.init(
            codec: .hevc, width: clip.width, height: clip.height, pixelFormat: clip.format, frameRate: 25)
        request.threadCount = 1
        change(&self)
    }
}
