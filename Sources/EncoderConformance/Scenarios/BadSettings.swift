// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let badSettings = Scenario(
        "bad-settings", "Settings out of range, unknown or in conflict are refused before anything opens, by name."
    ) { context, findings in
        for row in badRows(context) {
            guard row.needs.allSatisfy(context.has) else { continue }
            var configuration = context.configuration()
            row.change(&configuration)
            do throws(EncoderError) {
                let session = try context.session(configuration)
                findings.note("\(row.label) to be refused", seen: "a session")
                session.invalidate()
            } catch {
                findings.expect(
                    row.codes.contains(error.code),
                    "\(row.codes.map(\.rawValue).joined(separator: " or ")) for \(row.label)",
                    seen: "\(error.code.rawValue): \(error)")
                findings.expect(
                    row.says.isEmpty || error.reason.contains(row.says),
                    "\"\(row.says)\" in the error for \(row.label)",
                    seen: "\"\(error.reason)\"")
            }
        }
    }

    private struct BadRow {
        let label: String
        /// What the reason must name.
        let says: String
        let codes: Set<EncoderError.Code>
        let needs: [Setting]
        let change: @Sendable (inout SessionConfiguration) -> Void

        init(
            _ label: String, says: String, _ codes: Set<EncoderError.Code> = [.invalidValue], needs: [Setting] = [],
            _ change: @escaping @Sendable (inout SessionConfiguration) -> Void
        ) {
            self.label = label
            self.says = says
            self.codes = codes
            self.needs = needs
            self.change = change
        }
    }

    private static func badRows(_ context: ScenarioContext) -> [BadRow] {
        let sizes: [BadRow] = [
            BadRow("width 0", says: "0") { $0.width = 0 },
            BadRow("height 0", says: "0") { $0.height = 0 },
            BadRow("width -16", says: "-16") { $0.width = -16 },
            BadRow("a width above the encoder's", says: "\(context.capabilities.codedWidths.upperBound)") {
                $0.width = context.capabilities.codedWidths.upperBound + 2
            },
        ]
        let rates: [BadRow] = [
            BadRow("a negative bit rate", says: "-5000", needs: [.averageBitRate]) { $0.live.averageBitRate = -5000 },
            BadRow("a huge bit rate", says: "\(Int.max)", needs: [.averageBitRate]) { $0.live.averageBitRate = .max },
            BadRow("a constant bit rate of 1", says: "1 bit/s", needs: [.constantBitRate]) {
                $0.live.constantBitRate = 1
            },
            BadRow("limits of a constant bit rate", says: "limits", [.conflictingSettings], needs: [.constantBitRate]) {
                $0.live.constantBitRate = 100_000
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)]
            },
            BadRow("a peak below the mean", says: "99999", [.conflictingSettings], needs: [.vbvMaxBitRate]) {
                $0.live.variableBitRate = 100_000
                $0.live.vbvMaxBitRate = 99_999
            },
            BadRow("a buffer of no mode", says: "0.5", [.conflictingSettings], needs: [.vbvBufferDuration]) {
                $0.live.vbvBufferDuration = 0.5
            },
            BadRow("a buffer of no seconds", says: "0.0", needs: [.constantBitRate, .vbvBufferDuration]) {
                $0.live.constantBitRate = 100_000
                $0.live.vbvBufferDuration = 0
            },
            BadRow("a delay of 101 %", says: "101.0", needs: [.constantBitRate, .vbvInitialDelayPercentage]) {
                $0.live.constantBitRate = 100_000
                $0.live.vbvInitialDelayPercentage = 101
            },
            BadRow("a quality of NaN", says: "nan", needs: [.quality]) { $0.live.quality = .nan },
            BadRow("a quality above 1", says: "1.5", needs: [.quality]) { $0.live.quality = 1.5 },
            BadRow("a negative limit", says: "-1", needs: [.dataRateLimits]) {
                $0.live.dataRateLimits = [DataRateLimit(bytes: -1, seconds: 1)]
            },
            BadRow("a limit over no time", says: "0.0", needs: [.dataRateLimits]) {
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 0)]
            },
            BadRow("a limit over NaN seconds", says: "nan", needs: [.dataRateLimits]) {
                $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: .nan)]
            },
            BadRow("a frame rate of NaN", says: "FrameRate", needs: [.expectedFrameRate]) {
                $0.live.expectedFrameRate = FrameRate(.nan)
            },
            BadRow("a bit rate above the ceiling", says: "100000", [.conflictingSettings], needs: [.bitRateCeiling]) {
                $0.live.averageBitRate = 200_000
                $0.bitRateCeiling = 100_000
            },
            BadRow("a quantizer of 1000", says: "1000", needs: [.constantQuantizer]) {
                $0.live.rateControl = .constantQuantizer(1000)
            },
            BadRow(
                "quantizer bounds that cross", says: "30", [.conflictingSettings],
                needs: [.minAllowedFrameQP, .maxAllowedFrameQP]
            ) {
                $0.live.minAllowedFrameQP = 30
                $0.live.maxAllowedFrameQP = 20
            },
        ]
        return sizes + rates + structureRows(context)
    }

    private static func structureRows(_ context: ScenarioContext) -> [BadRow] {
        let codec = context.codec
        let common: [BadRow] = [
            BadRow("a negative key-frame interval", says: "-1", needs: [.maxKeyFrameInterval]) {
                $0.live.maxKeyFrameInterval = -1
            },
            BadRow("a key-frame interval of NaN seconds", says: "nan", needs: [.maxKeyFrameIntervalDuration]) {
                $0.live.maxKeyFrameIntervalDuration = .nan
            },
            BadRow("a negative frame delay", says: "-1", needs: [.maxFrameDelayCount]) { $0.maxFrameDelayCount = -1 },
            BadRow("lengths of 3 bytes", says: "3") { $0.framing = .lengthPrefixed(bytes: 3) },
            BadRow(
                "a preset nobody has", says: context.has(.preset) ? "warp" : "Preset", [.invalidValue, .unsupported]
            ) { $0.preset = "warp" },
            BadRow("level 9.9", says: "9.9", needs: [.profileLevel]) { $0.profileLevel = ProfileLevel(level: 99) },
            BadRow("a profile of the other codec", says: "profile", [.conflictingSettings], needs: [.profileLevel]) {
                $0.profileLevel = ProfileLevel(profile: codec == .h264 ? .hevcMain : .h264High)
            },
        ]
        switch codec {
        case .h264:
            let profiles = context.capabilities.profiles
            let withoutCABAC = profiles.first { !$0.allowsCABAC }.map { profile in
                BadRow(
                    "\(profile) with CABAC", says: "CABAC", [.conflictingSettings],
                    needs: [.profileLevel, .h264EntropyMode]
                ) {
                    $0.profileLevel = ProfileLevel(profile: profile)
                    $0.h264EntropyMode = .cabac
                }
            }
            let withoutReordering = profiles.first { !$0.allowsFrameReordering }.map { profile in
                BadRow("\(profile) with reordering", says: "reordering", [.conflictingSettings], needs: [.profileLevel])
                {
                    $0.profileLevel = ProfileLevel(profile: profile)
                    $0.allowFrameReordering = true
                }
            }
            return common + [withoutCABAC, withoutReordering].compactMap { $0 }
        case .hevc:
            return common + [
                BadRow("an entropy mode", says: "entropy mode", [.conflictingSettings]) { $0.h264EntropyMode = .cavlc }
            ]
        }
    }
}
