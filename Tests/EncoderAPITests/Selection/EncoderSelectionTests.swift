// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EncoderSelectionTests {
    private static let two = ["first", "second"]

    /// A back end of two devices.
    private func devices(_ change: (inout PretendedDevice) -> Void = { _ in }) -> PretendedDevice {
        var device = PretendedDevice(FakeBackend())
        device.devices = Self.two
        change(&device)
        return device
    }

    @Test("the first encoder that opens is taken, and the session says why the others were not")
    func success() async throws {
        let device = devices { $0.brokenDevices = ["first"] }
        let selection = EncoderSelection([FakeBackend(codedWidths: 16...32), device, ScriptedBackend(), FakeBackend()])
        let session = try await selection.makeSession(FakeStream.configuration())
        #expect(session.encoder.id == "pretended.second.fake.h264" && session.encoder.device == "second")
        #expect(
            session.rejections.map(\.description) == [
                "fake.h264: width 176, expected 1...32",
                "pretended.first.fake.h264: the pretended device does not open (status 8)",
                "scripted: not needed", "fake: not needed",
            ])
        #expect(
            session.rejections.map(\.code) == [.settingsRefused, .openingFailed, .notNeeded, .notNeeded])
        #expect(session.rejections[1].error == PretendedDevice.breakage)
        #expect(device.log.opened == ["first", "second"])
        #expect(try await FakeStream.run(session, frames: 3).count == 3)
    }

    @Test("callers that cannot suspend get the same session, list and errors, on their own thread")
    func blocking() throws {
        let device = devices { $0.brokenDevices = ["first"] }
        #expect(try device.encodersBlocking.map(\.device) == ["first", "second"])
        let session = try EncoderSelection([device, FakeBackend()]).makeSessionBlocking(FakeStream.configuration())
        #expect(session.encoder.device == "second" && session.rejections.map(\.code) == [.openingFailed, .notNeeded])
        session.invalidate()
        let missing = EncoderError(.unsupported, reason: "no library")
        let error = #expect(throws: EncoderError.self) {
            try EncoderSelection([MissingBackend(error: missing)]).makeSessionBlocking(FakeStream.configuration())
        }
        #expect(error?.rejections.map(\.error) == [missing])
        #expect(throws: missing) { try MissingBackend(error: missing).encodersBlocking }
    }

    @Test("a back end that calls a failure cancelled ends no selection")
    func calledCancelled() async throws {
        let cancelled = EncoderError(.cancelled, reason: "a command of the device was cancelled")
        let opening = FakeBackend(refusal: { _ in cancelled })
        let selection = EncoderSelection([MissingBackend(error: cancelled), opening, FakeBackend()])
        let session = try await selection.makeSession(FakeStream.configuration())
        #expect(session.rejections.map(\.code) == [.listingFailed, .settingsRefused])
        session.invalidate()
    }

    @Test("where none can be taken the error says why for each")
    func failure() async throws {
        let missing = EncoderError(.unsupported, reason: "no library")
        var selection = EncoderSelection([
            MissingBackend(error: missing), FakeBackend(failsToOpen: true), FakeBackend(codedWidths: 16...32),
        ])
        var error = await refusal(selection)
        #expect(error?.code == .noEncoder)
        #expect(
            error?.reason == "missing: no library; fake.h264: the fake does not open (status 7); "
                + "fake.h264: width 176, expected 1...32")
        #expect(error?.rejections.map(\.code) == [.listingFailed, .openingFailed, .settingsRefused])
        #expect(error?.rejections.map(\.error?.status) == [nil, 7, nil])
        #expect(error?.rejections.first?.error == missing)

        selection.hardwareAcceleration = .required
        error = await refusal(selection)
        #expect(error?.code == .noEncoder)
        #expect(error?.rejections.map(\.code) == [.listingFailed, .runsOnCPU, .runsOnCPU])
        error = await refusal(EncoderSelection([]))
        #expect(error?.code == .noEncoder && error?.reason == "no back end to choose from")
    }

    @Test("an encoder that nobody listed is named, with those that are listed")
    func unknownEncoder() async {
        let missing = MissingBackend(error: EncoderError(.unsupported, reason: "no library"))
        var selection = EncoderSelection([missing, devices(), FakeBackend()])
        selection.encoderID = "pretended.frist.fake.h264"
        let error = await refusal(selection)
        #expect(error?.code == .noEncoder)
        #expect(
            error?.reason == "no encoder pretended.frist.fake.h264, expected one of pretended.first.fake.h264, "
                + "pretended.second.fake.h264, fake.h264; missing: no library")
        #expect(error?.rejections.map(\.code) == [.listingFailed, .otherEncoder, .otherEncoder, .otherEncoder])
    }

    @Test("where one encoder alone comes into question, its own error is thrown, with the reasons beside it")
    func single() async {
        let missing = MissingBackend(error: EncoderError(.unsupported, reason: "no library"))
        let selection = EncoderSelection([missing, FakeBackend()])
        let error = await refusal(selection) { $0.preset = "fats" }
        #expect(error?.code == .invalidValue && error?.setting == .preset)
        #expect(error?.rejections.map(\.code) == [.listingFailed, .settingsRefused])
    }

    @Test(
        "a way decides between CPU and devices",
        arguments: [
            (EncoderSelection.HardwareAcceleration.automatic, "fake.h264"),
            (.required, "pretended.first.fake.h264"), (.preferred, "pretended.first.fake.h264"),
            (.forbidden, "fake.h264"), (.softwareFallbackAllowed, "pretended.first.fake.h264"),
        ] as [(EncoderSelection.HardwareAcceleration, EncoderID)])
    func ways(way: EncoderSelection.HardwareAcceleration, chosen: EncoderID) async throws {
        let selection = EncoderSelection([FakeBackend(), devices()], hardwareAcceleration: way)
        #expect(try await selection.makeSession(FakeStream.configuration()).encoder.id == chosen)
    }

    @Test("with broken devices, each way but the one that requires hardware goes on on the CPU")
    func brokenDevices() async throws {
        for way in EncoderSelection.HardwareAcceleration.allCases {
            let selection = EncoderSelection(
                [devices { $0.brokenDevices = Set(Self.two) }, FakeBackend()], hardwareAcceleration: way)
            guard way != .required else {
                let error = await refusal(selection)
                #expect(error?.rejections.map(\.code) == [.openingFailed, .openingFailed, .runsOnCPU])
                continue
            }
            #expect(try await selection.makeSession(FakeStream.configuration()).encoder.id == "fake.h264", "\(way)")
        }
    }

    @Test("each session goes to the device that it names", arguments: [false, true])
    func namedDevices(byIdentity: Bool) async throws {
        let device = devices()
        for name in ["second", "first", "second"] {
            var selection = EncoderSelection([device])
            if byIdentity {
                selection.encoderID = EncoderID(rawValue: "pretended.\(name).fake.h264")
            } else {
                selection.requiredDevice = name
            }
            let session = try await selection.makeSession(FakeStream.configuration())
            #expect(session.encoder.device == name)
            #expect(try await FakeStream.run(session, frames: 3).count == 3)
        }
        #expect(device.log.opened == ["second", "first", "second"])
    }

    @Test("a listed encoder makes a session at once, which opens it and no other, also after a restart")
    func listedEncoder() async throws {
        let device = devices()
        let encoders = try await device.encoders
        #expect(encoders.map(\.device) == Self.two)
        for encoder in encoders.reversed() {
            let session = try CompressionSession(FakeStream.configuration(), encoder: encoder, of: device)
            #expect(session.encoder == encoder && session.rejections == [])
            async let frames = FakeStream.collect(session)
            for index in 0..<4 {
                try await session.encode(try FakeStream.picture(), at: FakeStream.time(index))
                if index == 1 { _ = try await session.update { $0.maxKeyFrameInterval = 500 } }
            }
            try await session.finish()
            #expect(try await frames.count == 4)
        }
        #expect(device.log.opened == ["second", "first"])
        #expect(device.log.listed == 1)
    }

    @Test("a session refuses an encoder of another codec")
    func otherCodec() async throws {
        let device = devices()
        let encoder = try await device.encoder(for: .h264)
        let error = #expect(throws: EncoderError.self) {
            let configuration = SessionConfiguration(codec: .hevc, width: 64, height: 64)
            return try CompressionSession(configuration, encoder: encoder, of: device)
        }
        #expect(error?.code == .unsupported)
        let missing = await #expect(throws: EncoderError.self) { try await device.encoder(for: .hevc) }
        #expect(missing?.code == .noEncoder && missing?.reason == "pretended does not encode HEVC")
    }

    private func refusal(
        _ selection: EncoderSelection, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async -> EncoderError? {
        do throws(EncoderError) {
            _ = try await selection.makeSession(FakeStream.configuration(change))
            return nil
        } catch {
            return error
        }
    }
}
