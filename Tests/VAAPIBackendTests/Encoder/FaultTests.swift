// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite(.requiresProgram(.ffmpeg)) struct FaultTests {
        /// What goes wrong with one picture, or from one on.
        private static let faults = [
            "begin:6=operation_failed", "render:6=invalid_buffer", "render:1=invalid_buffer",
            "endpicture:6=encoding_error", "endpicture:6=poison", "endpicture:1=encoding_error",
            "sync:5=operation_failed",
            "sync:5=encoding_error", "sync:5=hw_busy", "map:4=operation_failed", "map:5=encoding_error", "code:6=size0",
            "code:5=encoding_error", "code:6=overflow", "createbuffer:45=allocation_failed",
            "createbuffer:60=allocation_failed", "render:4=invalid_buffer,render:7=invalid_buffer",
            "endpicture:5=encoding_error,code:9=size0",
        ]

        /// A fault with one of two encoders; a sample has each fault.
        struct Row: Sendable, CustomTestStringConvertible {
            var fault: String
            var personality: String
            var codec: VideoCodec

            static let all = faults.flatMap { fault in
                [("strict", VideoCodec.h264), ("ihd-tgl", .hevc)].map { personality, codec in
                    Row(fault: fault, personality: personality, codec: codec)
                }
            }
            var labels: [String] { [fault, personality] }
            var testDescription: String { "\(fault) \(personality)" }
        }

        @Test(
            "a failure costs pictures that are reported, and the stream goes on with a key frame",
            arguments: Sample.of(Row.all, labels: \.labels))
        func sampledFaults(row: Row) async throws {
            var encoding = DeviceEncoding(
                personality: row.personality,
                configuration: DeviceEncoding.configuration(row.codec, width: 96, height: 80), count: 20)
            encoding.configuration.live.constantQuantizer = 32
            encoding.faults = row.fault
            let result = try await encoding.run()
            #expect(result.error == nil)
            #expect(result.frames.map(\.presentationTime.value).sorted() == (0..<20).map { Int64($0) })
            let coded = result.frames.compactMap(\.accessUnit)
            #expect(coded.count < 20 && coded.count >= 8, "\(coded.count) of 20 pictures")
            for reason in result.frames.compactMap(\.dropReason) {
                guard case .failed = reason else { Issue.record("\(reason)"); continue }
            }
            #expect(try await decodedCount(result.stream, row.codec) == coded.count)
        }

        @Test(
            "a driver that is slow, or has its pictures in pieces, loses none", .inTurn(),
            arguments: [
                "sync=+30ms", "code=+20ms", "code:4=split", "derive=operation_failed", "derive=tiled", "render=+5ms",
            ],
            ["strict", "ihd-tgl"])
        func harmless(fault: String, personality: String) async throws {
            var encoding = DeviceEncoding(
                personality: personality, configuration: DeviceEncoding.configuration(.hevc, width: 96, height: 80))
            encoding.configuration.live.constantQuantizer = 32
            encoding.faults = fault
            let result = try await encoding.run()
            #expect(result.error == nil && result.frames.count == 12)
            #expect(result.frames.allSatisfy { $0.accessUnit != nil })
            #expect(try await decodedCount(result.stream, .hevc) == 12)
        }

        @Test(
            "a device that is lost ends the session with an error that says so, and every picture is reported",
            arguments: [
                "endpicture:7=lost", "sync:6=lost", "map:6=lost", "render:7=lost", "begin:6=lost",
                "createbuffer:50=lost",
                "endpicture:6+=encoding_error", "code:6+=size0",
            ])
        func lost(fault: String) async throws {
            var encoding = DeviceEncoding(
                configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80), count: 30)
            encoding.configuration.live.constantQuantizer = 32
            encoding.faults = fault
            let result = try await encoding.run()
            #expect(result.error?.code == .deviceLost, "\(String(describing: result.error))")
            #expect(result.error?.endsSession == true)
            #expect(result.error?.reason.contains("soft is lost") == true)
            let times = result.frames.map(\.presentationTime.value)
            #expect(times.sorted() == result.given)
            let coded = result.frames.compactMap(\.accessUnit)
            #expect(try await decodedCount(result.stream, .h264) == coded.count)
        }

        @Test("where no surface is left for a picture, it is reported, and the stream goes on")
        func noSurface() async throws {
            var encoding = DeviceEncoding(
                configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80), count: 20)
            // Eleven for reconstructions and one that is tried out come before those for pictures.
            encoding.faults = "createsurfaces:14=out_of_surfaces"
            let result = try await encoding.run()
            #expect(result.error == nil && result.frames.count == 20)
            #expect(result.frames.count { $0.dropReason != nil } >= 1)
        }

        // The encoder waits for five seconds.
        @Test(
            "a picture that never comes out ends the session in the time it says, and the rest is let go", .thorough())
        func thoroughStuck() async throws {
            var encoding = DeviceEncoding(
                configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80), count: 30)
            encoding.configuration.live.constantQuantizer = 32
            encoding.faults = "sync:6+=timeout"
            let clock = ContinuousClock()
            let start = clock.now
            let result = try await encoding.run()
            #expect(result.error?.code == .timedOut)
            #expect(clock.now - start < .seconds(20))
            #expect(result.frames.map(\.presentationTime.value).sorted() == result.given)
            #expect(result.frames.contains { $0.accessUnit != nil } && result.frames.contains { $0.dropReason != nil })
        }

        @Test(
            "rate control that a driver lists and does not have gives way to what it has",
            arguments: ["caps=lie_create", "caps=lie_code"])
        func lies(fault: String) async throws {
            var encoding = DeviceEncoding(
                personality: "ihd-kbl-nohuc", configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80))
            encoding.configuration.live.averageBitRate = 300_000
            encoding.faults = fault
            let result = try await encoding.run()
            #expect(result.error == nil && result.frames.allSatisfy { $0.accessUnit != nil })
            let adjustment = try #require(result.adjustments.first { $0.setting == .averageBitRate })
            #expect(adjustment.used.contains("constant quantizer"))
            encoding.configuration.live.dataRateLimits = [DataRateLimit(bytes: 50_000, seconds: 1)]
            let refused = try await encoding.run()
            #expect(refused.error != nil, "limits that nothing keeps are refused")
        }

        @Test(
            "a driver that cannot be opened with the settings says why",
            arguments: [
                ("createconfig=invalid_value", "vaCreateConfig", .backendFailure),
                ("createcontext=allocation_failed", "vaCreateContext of 96x80", .outOfMemory),
                ("createsurfaces=out_of_surfaces", "vaCreateSurfaces of 96x80", .backendFailure),
            ] as [(String, String, EncoderError.Code)])
        func closed(fault: String, call: String, code: EncoderError.Code) async throws {
            var encoding = DeviceEncoding(configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80))
            encoding.faults = fault
            let result = try await encoding.run()
            #expect(result.error?.code == code)
            #expect(result.error?.reason.hasPrefix("\(call): ") == true, "\(String(describing: result.error))")
            #expect(result.frames.allSatisfy { $0.accessUnit == nil })
        }

        @Test(
            "a driver that refuses one call while an encoder opens is asked once more",
            arguments: [
                "createcontext:1=allocation_failed", "createcontext:2=allocation_failed",
                "createconfig:1=allocation_failed", "createsurfaces:3=allocation_failed",
            ])
        func refusedOnce(fault: String) async throws {
            var encoding = DeviceEncoding(configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80))
            encoding.configuration.live.averageBitRate = 300_000
            encoding.faults = fault
            let result = try await encoding.run()
            #expect(result.error == nil, "\(String(describing: result.error))")
            #expect(!result.frames.isEmpty && result.frames.allSatisfy { $0.accessUnit != nil })
        }

        private func decodedCount(_ stream: [UInt8], _ codec: VideoCodec) async throws -> Int {
            guard !stream.isEmpty else { return 0 }
            let output = try await ExternalProgram.ffmpeg.run(
                [
                    "-v", "warning", "-xerror", "-err_detect", "explode", "-f", codec.rawValue, "-i", "-",
                    "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
                ], input: stream)
            #expect(output.standardError == "")
            return output.standardOutput.count / (96 * 80 * 3 / 2)
        }
    }
}
