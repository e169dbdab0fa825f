// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import PictureQuality
import Synchronization

/// One encode for where its key frames are and what the pictures look like: sizes and errors of the frames with their
/// times, and the types of their NAL units as the stream has them, whatever the session says of a frame.
package struct KeyFrameRun: RunKind {
    package static let name = "key-frames"
    package static let isTimed = false

    package init() {}

    package func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> KeyFrameResult? {
        let shown = Mutex<[(number: Int, time: MediaTime, isIDR: Bool, isRandomAccess: Bool)]>([])
        let measured = try await QualityRun().result(of: point, in: context) { frame in
            if let unit = frame.accessUnit, let number = frame.token as? Int {
                let isRandomAccess = unit.isSync || unit.isPartialSync
                shown.withLock { $0.append((number, frame.presentationTime, unit.isIDR, isRandomAccess)) }
            }
            progress()
        }
        guard let measured else { return nil }
        let frames = shown.withLock { $0.sorted { $0.number < $1.number } }
        let start = frames.first?.time ?? .zero
        return KeyFrameResult(
            measured: measured, seconds: frames.map { ($0.time - start).seconds }, isIDR: frames.map(\.isIDR),
            isRandomAccess: frames.map(\.isRandomAccess))
    }
}

/// Where the key frames of a stream are; columns in display order.
package struct KeyFrameResult: KeptResult {
    package static let suffix = ".key-frames.json"

    /// Sizes and qualities.
    package var measured: PointResult
    /// When each frame is shown, in seconds after the first.
    package var seconds: [Double]
    /// Whether all slices of each frame are those of an IDR picture.
    package var isIDR: [Bool]
    /// Whether decoding can start at each frame, as the session says: with open GOP also at frames that are no IDR.
    package var isRandomAccess: [Bool]

    package var work: PointWork { measured.work }
    package var build: EncoderBuild { measured.build }
    package var isWhole: Bool {
        measured.isWhole
            && [seconds.count, isIDR.count, isRandomAccess.count].allSatisfy { $0 == measured.frames.count }
    }

    enum CodingKeys: String, CodingKey {
        case measured, seconds
        case isIDR = "idr"
        case isRandomAccess = "random_access"
    }
}

extension AccessUnit {
    /// Whether all its slices are those of an IDR picture, by the types of its NAL units.
    fileprivate var isIDR: Bool {
        func areIDR<Header: NALUnitHeader>(_ header: Header.Type, _ isIDR: (Header.UnitType) -> Bool) -> Bool {
            let slices = nalUnits.compactMap { (try? Header(nalUnit: data[$0]))?.type }.filter(\.isVCL)
            return !slices.isEmpty && slices.allSatisfy(isIDR)
        }
        return format.codec == .h264
            ? areIDR(H264NALUnitHeader.self) { $0 == .idrSlice } : areIDR(HEVCNALUnitHeader.self, \.isIDR)
    }
}
