// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct VADeviceFactsTests {
        @Test(
            "what a driver answers is told in names, with every word that it has",
            arguments: [
                ("strict", 5, false, ["CQP", "CBR", "VBR"]), ("ihd-kbl-nohuc", 3, true, ["CQP"]),
                ("i965", 3, false, nil),
            ] as [(String, Int, Bool, [String]?)])
        func answers(personality: String, count: Int, isLowPower: Bool, modes: [String]?) throws {
            let display = try SoftVADisplay(personality)
            let facts = try VAAPIBackend.facts(of: display.device, logger: Logger(label: "test"))
            #expect(facts.entryPoints.count == count)
            #expect(facts.entryPoints.map(\.profile).starts(with: ["H264ConstrainedBaseline", "H264Main", "H264High"]))
            #expect(facts.entryPoints.allSatisfy { $0.isLowPower == isLowPower })
            #expect(facts.isUsedOnlyByName == (personality == "i965"))
            for entryPoint in facts.entryPoints {
                if let modes { #expect(modes.allSatisfy(entryPoint.rateControls.contains)) }
                #expect(entryPoint.packedHeaders.contains("sequence"))
                #expect(entryPoint.pixelFormats.contains("NV12"))
                #expect(entryPoint.attributes["RateControl"] != nil && entryPoint.attributes["RTFormat"] != nil)
                #expect(entryPoint.attributes.values.allSatisfy { $0 >> 31 == 0 })
                #expect(entryPoint.widths?.upperBound == 4096)
            }
            display.expectClean()
        }

        @Test("a node that is not there is a failure that names it")
        func noNode() {
            let device = VADevice.renderNode(RenderNode(path: "/nonexistent/renderD128"))
            let error = #expect(throws: EncoderError.self) {
                try VAAPIBackend.facts(of: device, logger: Logger(label: "test"))
            }
            #expect(error?.code == .backendFailure)
            #expect(error?.reason.contains("/nonexistent/renderD128") == true)
        }
    }
}
