// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    extension PropertyTable {
        /// Keys that tell of the session, and cannot be set.
        static let session: [PropertyRow] = [
            .readOnly(
                kVTCompressionPropertyKey_NumberOfPendingFrames, .number { _ in nil },
                value: { ($0.session?.pendingFrameCount ?? 0) as NSNumber }),
            .readOnly(
                kVTCompressionPropertyKey_EncoderID, .other("nothing"), value: { $0.encoder.id.rawValue as NSString }),
            .readOnly(
                kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder, .boolean,
                value: { NSNumber(value: $0.encoder.isHardwareAccelerated) }),
            .readOnly(
                kVTCompressionPropertyKey_UsingGPURegistryID, .number { _ in nil },
                value: { $0.encoder.registryID.map { $0 as NSNumber } }),
            .readOnly(kVTCompressionPropertyKey_SupportsBaseFrameQP, .boolean, value: { _ in NSNumber(value: false) }),
        ]

        /// Keys that are taken and change nothing here.
        static let hints: [PropertyRow] = [
            .hint(
                kVTCompressionPropertyKey_ExpectedDuration, .number { _ in 0...1e12 },
                otherwise: 0 as NSNumber, isLegal: { PropertyValue.number($0).map { 0...1e12 ~= $0 } ?? false }),
            .hint(
                kVTCompressionPropertyKey_MaximumRealTimeFrameRate, .number { _ in 0...1000 },
                otherwise: 0 as NSNumber, isLegal: { PropertyValue.number($0).map { 0...1000 ~= $0 } ?? false }),
            .hint(
                kVTCompressionPropertyKey_MaximizePowerEfficiency, .boolean, otherwise: NSNumber(value: false),
                isLegal: { PropertyValue.boolean($0) != nil }),
            .hint(
                kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality, .boolean, otherwise: nil,
                isLegal: { PropertyValue.boolean($0) != nil }),
            .hint(
                kVTCompressionPropertyKey_HDRMetadataInsertionMode, .enumeration { _ in ["None", "Auto"] },
                otherwise: "Auto" as NSString,
                isLegal: { ($0 as? NSString).map { ["None", "Auto"].contains("\($0)") } ?? false }),
        ]
    }
#endif
