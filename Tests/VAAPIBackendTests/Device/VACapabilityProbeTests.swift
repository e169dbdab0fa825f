// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import SoftVA
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct VACapabilityProbeTests {
        @Test(
            "every profile that encodes is asked for every attribute and its surfaces",
            arguments: [
                ("strict", 5, VAEntrypointEncSlice, 16), ("ihd-tgl", 5, VAEntrypointEncSliceLP, 32),
                ("ihd-kbl-nohuc", 3, VAEntrypointEncSliceLP, 32), ("radeonsi-old", 5, VAEntrypointEncSlice, 64),
                ("i965", 3, VAEntrypointEncSlice, 32),
            ])
        func answers(personality: String, count: Int, entrypoint: VAEntrypoint, least: Int) throws {
            let display = try SoftVADisplay(personality)
            do {
                let answers = try VACapabilityProbe(handle(display)).answers()
                #expect(answers.count == count)
                #expect(answers.allSatisfy { $0.entrypoint == entrypoint })
                #expect(answers.allSatisfy { Set($0.words.keys) == Set(VACapabilityProbe.attributes) })
                #expect(answers.allSatisfy { $0.surfaces.minWidth == least && $0.surfaces.maxHeight == 4096 })
                #expect(answers.allSatisfy { $0.surfaces.pixelFormats.contains(UInt32(VA_FOURCC_NV12)) })
            }
            display.expectClean()
        }

        @Test("a driver that refuses to say what surfaces may be still tells its attributes")
        func noConfig() throws {
            let display = try SoftVADisplay("strict", faults: "createconfig=operation_failed")
            do {
                let answers = try VACapabilityProbe(handle(display)).answers()
                #expect(answers.count == 5)
                #expect(answers.allSatisfy { $0.surfaces == VASurfaceLimits() })
                #expect(softva_count(SOFTVA_FAULTS) == 5)
            }
            display.expectClean()
        }

        private func handle(_ display: borrowing SoftVADisplay) throws -> VADisplayHandle {
            try VADisplayHandle(opening: display.device, logger: Logger(label: "test"))
        }
    }
}
