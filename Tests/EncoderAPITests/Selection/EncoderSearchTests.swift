// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct EncoderSearchTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let change: @Sendable (inout EncoderSelection) -> Void
        /// Encoders in the order of their turns.
        let turns: [EncoderID]
        /// Why the others have none, in the order in which they are listed.
        let never: [EncoderRejection.Code]
        let testDescription: String

        init(
            _ description: String, _ turns: [EncoderID], never: [EncoderRejection.Code] = [],
            _ change: @escaping @Sendable (inout EncoderSelection) -> Void
        ) {
            (testDescription, self.turns, self.never, self.change) = (description, turns, never, change)
        }
    }

    /// What one back end lists: encoders on the CPU and on two devices.
    static let listed: [EncoderDescription] = [
        encoder("cpu.h264"), encoder("a.h264", on: "a"), encoder("a.hevc", .hevc, on: "a"),
        encoder("b.h264", on: "b"), encoder("cpu2.h264"),
    ]

    static func encoder(_ id: EncoderID, _ codec: VideoCodec = .h264, on device: String? = nil) -> EncoderDescription {
        var encoder = FakeBackend().encoder
        (encoder.id, encoder.codec, encoder.device) = (id, codec, device)
        encoder.isHardwareAccelerated = device != nil
        return encoder
    }

    @Test(
        "each way has its order, and says why an encoder has no turn",
        arguments: [
            Row("automatic", ["cpu.h264", "a.h264", "b.h264", "cpu2.h264"], never: [.otherCodec]) { _ in },
            Row("required", ["a.h264", "b.h264"], never: [.runsOnCPU, .otherCodec, .runsOnCPU]) {
                $0.hardwareAcceleration = .required
            },
            Row("preferred", ["a.h264", "b.h264", "cpu.h264", "cpu2.h264"], never: [.otherCodec]) {
                $0.hardwareAcceleration = .preferred
            },
            Row("forbidden", ["cpu.h264", "cpu2.h264"], never: [.runsOnDevice, .otherCodec, .runsOnDevice]) {
                $0.hardwareAcceleration = .forbidden
            },
            Row("fallback", ["a.h264", "b.h264", "cpu.h264", "cpu2.h264"], never: [.otherCodec]) {
                $0.hardwareAcceleration = .softwareFallbackAllowed
            },
            Row("preferred device", ["b.h264", "cpu.h264", "a.h264", "cpu2.h264"], never: [.otherCodec]) {
                $0.preferredDevice = "b"
            },
            Row("preferred hardware and device", ["b.h264", "a.h264", "cpu.h264", "cpu2.h264"], never: [.otherCodec]) {
                ($0.hardwareAcceleration, $0.preferredDevice) = (.preferred, "b")
            },
            Row("required device", ["b.h264"], never: [.otherDevice, .otherDevice, .otherCodec, .otherDevice]) {
                $0.requiredDevice = "b"
            },
            Row(
                "one encoder", ["cpu2.h264"], never: [.otherEncoder, .otherEncoder, .otherCodec, .otherEncoder]
            ) { $0.encoderID = "cpu2.h264" },
            Row(
                "one encoder, where it may not be", [],
                never: [.otherEncoder, .otherEncoder, .otherCodec, .otherEncoder, .runsOnCPU]
            ) { ($0.encoderID, $0.hardwareAcceleration) = ("cpu2.h264", .required) },
        ])
    func order(row: Row) {
        var selection = EncoderSelection([FakeBackend()])
        row.change(&selection)
        var search = EncoderSearch(selection, for: .h264)
        search.note(.success(Self.listed), of: 0)
        #expect(turns(&search, .openingFailed) == row.turns)
        let codes = search.rejections(choosing: nil).map(\.code).filter { $0 != .openingFailed }
        #expect(codes == row.never)
    }

    @Test("settings that hardware refuses are no reason to fall back, where only missing hardware is")
    func fallback() {
        let selection = EncoderSelection([FakeBackend()], hardwareAcceleration: .softwareFallbackAllowed)
        var search = EncoderSearch(selection, for: .h264)
        search.note(.success(Self.listed), of: 0)
        #expect(turns(&search, .settingsRefused) == ["a.h264", "b.h264"])
        #expect(
            search.rejections(choosing: nil).map(\.code) == [
                .runsOnCPU, .settingsRefused, .otherCodec, .settingsRefused, .runsOnCPU,
            ])
    }

    @Test("back ends are asked in their order, and not before their turn")
    func laziness() {
        var search = EncoderSearch(EncoderSelection([FakeBackend(), FakeBackend(), FakeBackend()]), for: .h264)
        guard case .list(0) = search.nextStep else { return miss("the first is not asked first") }
        search.note(.success([]), of: 0)
        guard case .list(1) = search.nextStep else { return miss("the second is not asked next") }
        search.note(.success([Self.encoder("b.h264")]), of: 1)
        guard case .open(let encoder, let place) = search.nextStep else { return miss("nothing is opened") }
        #expect(encoder.id == "b.h264")
        #expect(search.rejections(choosing: place).map(\.code) == [.listsNone, .notNeeded])
        search.reject(place, .openingFailed, EncoderError(.backendFailure, reason: "no"))
        guard case .list(2) = search.nextStep else { return miss("the third is not asked") }
    }

    private func miss(_ comment: Comment) { Issue.record(comment) }

    /// Rejects each encoder when its turn comes.
    private func turns(_ search: inout EncoderSearch, _ code: EncoderRejection.Code) -> [EncoderID] {
        var turns: [EncoderID] = []
        while case .open(let encoder, let place) = search.nextStep {
            turns.append(encoder.id)
            search.reject(place, code, EncoderError(.backendFailure, reason: "as the test says"))
        }
        return turns
    }
}
