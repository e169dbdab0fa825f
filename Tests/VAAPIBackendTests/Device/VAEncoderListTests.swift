// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import SoftVA
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct VAEncoderListTests {
        @Test(
            "each codec and entry point is one encoder, the same each time",
            arguments: [
                ("strict", ["vaapi.soft.h264", "vaapi.soft.hevc"]),
                ("ihd-tgl", ["vaapi.soft.h264.lowpower", "vaapi.soft.hevc.lowpower"]),
                ("ihd-kbl-nohuc", ["vaapi.soft.h264.lowpower"]), ("ihd-mtl", ["vaapi.soft.h264", "vaapi.soft.hevc"]),
                ("radeonsi-old", ["vaapi.soft.h264", "vaapi.soft.hevc"]), ("i965", ["vaapi.soft.h264"]),
            ])
        func identities(personality: String, expected: [String]) throws {
            let display = try SoftVADisplay(personality)
            for _ in 0..<2 {
                let found = try discover(display.device)
                #expect(found.map(\.description.id.rawValue) == expected)
                #expect(found.allSatisfy { $0.description.isHardwareAccelerated && $0.description.device == "soft" })
                #expect(found.allSatisfy { $0.description.libraryVersion.hasPrefix("softva: ") })
            }
            display.expectClean()
        }

        @Test("profiles, depths, sizes and formats follow from what the driver says")
        func capabilities() throws {
            let display = try SoftVADisplay("ihd-tgl")
            let found = try discover(display.device).map(\.description.capabilities)
            try #require(found.count == 2)
            #expect(found[0].profiles == [.h264ConstrainedBaseline, .h264Main, .h264ConstrainedHigh, .h264High])
            #expect(found[1].profiles == [.hevcMain, .hevcMain10])
            #expect(found.map(\.bitDepths) == [[8], [8, 10]])
            #expect(found.map(\.directPixelFormats) == [[.nv12], [.nv12, .p010]])
            #expect(found.allSatisfy { $0.codedWidths == 32...4096 && $0.codedHeights == 32...4096 })
            display.expectClean()
        }

        @Test(
            "a setting is listed where a driver's attributes have it, and nowhere else",
            arguments: [
                ("strict", [.averageBitRate, .constantQuantizer, .quality, .allowFrameReordering], []),
                ("ihd-tgl", [.averageBitRate, .constantQuantizer, .dataRateLimits], []),
                (
                    "ihd-kbl-nohuc", [.constantQuantizer, .quality],
                    [.averageBitRate, .dataRateLimits, .maxAllowedFrameQP]
                ),
                ("radeonsi-old", [.averageBitRate, .pixelAspectRatio], [.color]),
            ] as [(String, Set<Setting>, Set<Setting>)])
        func settings(personality: String, present: Set<Setting>, absent: Set<Setting>) throws {
            let display = try SoftVADisplay(personality)
            let encoders = try discover(display.device)
            #expect(!encoders.isEmpty)
            for settings in encoders.map(\.description.capabilities.settings) {
                #expect(settings.isSuperset(of: present))
                #expect(settings.isDisjoint(with: absent))
            }
            display.expectClean()
        }

        @Test("a driver that encodes nothing is an error that names it and a package that may help")
        func nothing() {
            let list = VAEncoderList(device: .x11(), driver: "some driver", answers: [])
            let error = #expect(throws: EncoderError.self) { try list.encoders() }
            #expect(error?.code == .noEncoder)
            #expect(error?.reason.contains("\"some driver\" encodes neither") == true)
            #expect(error?.reason.contains("intel-media-va-driver-non-free") == true)
        }

        @Test("without packed sequence headers there is no HEVC, and H.264 without color")
        func noPackedHeaders() throws {
            func list(_ profile: VAProfile) -> VAEncoderList {
                let answer = VAEntrypointAnswer(
                    profile: profile, entrypoint: VAEntrypointEncSlice,
                    words: [VAConfigAttribRTFormat: UInt32(VA_RT_FORMAT_YUV420)])
                return VAEncoderList(device: .x11(), driver: "some driver", answers: [answer])
            }
            let error = #expect(throws: EncoderError.self) { try list(VAProfileHEVCMain).encoders() }
            #expect(error?.code == .noEncoder)
            #expect(error?.reason.contains("packed sequence headers") == true)
            let found = try list(VAProfileH264High).encoders()
            #expect(found.map(\.description.codec) == [.h264])
            #expect(found.first?.description.capabilities.settings.contains(.color) == false)
        }

        @Test("a device that fails does not hide the encoders of another")
        func twoDevices() throws {
            let display = try SoftVADisplay()
            let missing = VADevice.renderNode(RenderNode(path: "/nonexistent/renderD128"))
            let backend = VAAPIBackend(devices: [missing, display.device])
            #expect(try backend.discover(logger: Logger(label: "test")).count == 2)
            let error = #expect(throws: EncoderError.self) {
                try VAAPIBackend(devices: [missing, missing]).discover(logger: Logger(label: "test"))
            }
            #expect(error?.reason.contains("/nonexistent/renderD128") == true)
            display.expectClean()
        }

        private func discover(_ device: VADevice) throws -> [VAListedEncoder] {
            try VAAPIBackend(devices: [device]).discover(logger: Logger(label: "test"))
        }
    }
}
