// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation

    extension PropertyTable {
        /// Names of profiles and levels, without their prefix.
        private static let profileLevels: [String] = {
            let levels = ["3_0", "3_1", "3_2", "4_0", "4_1", "4_2", "5_0", "5_1", "5_2", "AutoLevel"]
            return (["1_3"] + levels).map { "H264_Baseline_\($0)" } + levels.map { "H264_Main_\($0)" }
                + levels.map { "H264_High_\($0)" }
                + [
                    "H264_ConstrainedBaseline_AutoLevel", "H264_ConstrainedHigh_AutoLevel", "HEVC_Main_AutoLevel",
                    "HEVC_Main10_AutoLevel",
                ]
        }()

        /// Keys that decide how pictures are coded.
        static let coding: [PropertyRow] = [
            .text(
                kVTCompressionPropertyKey_ProfileLevel, .profileLevel,
                values: { encoder in
                    profileLevels.filter { name in
                        let profile = ProfileLevel(videoToolbox: name)?.profile
                        return profile.map { encoder.capabilities.profiles.contains($0) } ?? false
                    }
                },
                take: { name, settings in
                    settings.configuration.profileLevel = ProfileLevel(videoToolbox: name) ?? .automatic
                }, reset: { $0.configuration.profileLevel = .automatic },
                value: { view in
                    let asked = view.configuration(inForce: .profileLevel).profileLevel
                    return profileLevels.first { ProfileLevel(videoToolbox: $0) == asked }
                }),
            .text(
                kVTCompressionPropertyKey_H264EntropyMode, .h264EntropyMode,
                values: { $0.codec == .h264 ? ["CAVLC", "CABAC"] : [] },
                take: { $1.configuration.h264EntropyMode = $0 == "CABAC" ? .cabac : .cavlc },
                reset: { $0.configuration.h264EntropyMode = nil },
                value: { $0.configuration(inForce: .h264EntropyMode).h264EntropyMode?.rawValue.uppercased() }),
        ]

        /// Keys of transfers that do something, and hints: what others ask for is not done.
        private static let transferKeys = Set(
            [
                kVTPixelTransferPropertyKey_ScalingMode, kVTPixelTransferPropertyKey_DownsamplingMode,
                kVTPixelTransferPropertyKey_RealTime,
            ].map { "\($0)" })

        /// Keys that say what pictures are.
        static let picture: [PropertyRow] = [
            color(kVTCompressionPropertyKey_ColorPrimaries, .primaries, \.primaries, \.primaries),
            color(kVTCompressionPropertyKey_TransferFunction, .transfer, \.transfer, \.transfer),
            color(kVTCompressionPropertyKey_YCbCrMatrix, .matrix, \.matrix, \.matrix),
            PropertyRow(
                key: "\(kVTCompressionPropertyKey_PixelAspectRatio)", setting: .pixelAspectRatio,
                kind: .other("a dictionary of HorizontalSpacing and VerticalSpacing, whole numbers of 1...65535"),
                take: { object, settings, _ in
                    guard let shape = object as? NSDictionary, let width = side(shape, "HorizontalSpacing"),
                        let height = side(shape, "VerticalSpacing")
                    else { return false }
                    settings.configuration.pixelAspectRatio = PixelAspectRatio(
                        horizontalSpacing: width, verticalSpacing: height)
                    return true
                }, reset: { $0.configuration.pixelAspectRatio = nil },
                value: { view in
                    view.settings.configuration.pixelAspectRatio.map { ratio in
                        [
                            "HorizontalSpacing" as NSString: ratio.horizontalSpacing as NSNumber,
                            "VerticalSpacing": ratio.verticalSpacing as NSNumber,
                        ] as NSDictionary
                    }
                }),
            PropertyRow(
                key: "\(kVTCompressionPropertyKey_PixelTransferProperties)", setting: nil,
                kind: .other("a dictionary of ScalingMode, DownsamplingMode and RealTime alone"),
                take: { object, settings, _ in
                    guard let properties = object as? NSDictionary,
                        properties.allKeys.allSatisfy({ transferKeys.contains("\($0)") })
                    else { return false }
                    var mode = ScalingMode.trim
                    if let name = properties.object("\(kVTPixelTransferPropertyKey_ScalingMode)") {
                        guard let known = (name as? NSString).flatMap({ ScalingMode(rawValue: "\($0)") }) else {
                            return false
                        }
                        mode = known
                    }
                    settings.scalingMode = mode
                    return true
                }, reset: { $0.scalingMode = .trim },
                value: { view in
                    let mode = view.settings.scalingMode.rawValue as NSString
                    return NSDictionary(object: mode, forKey: kVTPixelTransferPropertyKey_ScalingMode)
                }),
            .readOnly(
                kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes, .other("nothing"),
                value: { $0.pixelBufferAttributes }),
            .readOnly(
                kVTCompressionPropertyKey_PixelBufferPoolIsShared, .boolean, value: { _ in NSNumber(value: false) }),
        ]

        private static func side(_ shape: NSDictionary, _ key: String) -> Int? {
            guard let number = shape.object(key).flatMap(PropertyValue.number), 1...65535 ~= number,
                number == number.rounded()
            else { return nil }
            return Int(number)
        }

        private static func color(
            _ key: CFString, _ names: ColorNames, _ path: any WritableKeyPath<SessionSettings, Int?> & Sendable,
            _ part: any KeyPath<ColorDescription, Int> & Sendable
        ) -> PropertyRow {
            .text(
                key, .color, values: { _ in names.names },
                take: { $1[keyPath: path] = names.code($0) }, reset: { $0[keyPath: path] = nil },
                value: { view in
                    let inForce = view.session?.pixelBufferPool.color?[keyPath: part]
                    return (view.settings[keyPath: path] ?? inForce).flatMap { names.name($0) }
                })
        }
    }
#endif
