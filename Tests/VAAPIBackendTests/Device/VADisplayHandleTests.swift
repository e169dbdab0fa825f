// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import SoftVA
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct VADisplayHandleTests {
        private let logger = Logger(label: "test")

        @Test("a display of the program's is used, and still works when the handle is gone")
        func ofProgram() throws {
            let display = try SoftVADisplay()
            for _ in 0..<2 {
                let handle = try VADisplayHandle(opening: display.device, logger: logger)
                #expect(handle.driver == "softva: strict")
            }
            display.expectClean()
        }

        @Test("an X server that does not answer is an error that names it")
        func noServer() {
            let error = #expect(throws: EncoderError.self) {
                try VADisplayHandle(opening: .x11(display: ":4711"), logger: logger)
            }
            #expect(error?.code == .backendFailure && error?.status == nil)
            #expect(error?.reason.contains("\":4711\"") == true)
        }

        @Test("memory that is short is not taken for a missing driver")
        func outOfMemory() throws {
            let library = try VALibrary()
            func refusal(_ status: Int32) -> EncoderError {
                VADisplayHandle.refusal(
                    of: .x11(), library.failure(of: "vaInitialize", status), complaint: "libva said so")
            }
            let short = refusal(VA_STATUS_ERROR_ALLOCATION_FAILED)
            #expect(short.code == .outOfMemory && short.status == Int(VA_STATUS_ERROR_ALLOCATION_FAILED))
            #expect(short.reason.hasPrefix("x11: vaInitialize: ") && short.reason.contains("libva said so"))
            #expect(!short.reason.contains("driver"))
            let missing = refusal(-1)
            #expect(missing.code == .backendFailure && missing.status == -1)
            #expect(missing.reason.hasPrefix("x11: no VA-API driver: vaInitialize: "))
            #expect(missing.reason.contains("on Intel GPUs from Skylake on"))
        }

        @Test("a display that is NULL is an error, not a crash")
        func null() throws {
            let device = VADevice(.program(address: 0), name: "none", description: "none")
            let error = #expect(throws: EncoderError.self) { try VADisplayHandle(opening: device, logger: logger) }
            #expect(error?.code == .invalidValue)
        }

        @Test(
            "devices have names for identities and descriptions for people",
            arguments: [
                (VADevice.renderNode(RenderNode(path: "/dev/dri/renderD129")), "renderD129", "/dev/dri/renderD129"),
                (.x11(), "x11", "x11"), (.x11(display: ":1"), "x11:1", "x11:1"),
            ])
        func names(device: VADevice, name: String, description: String) {
            #expect(device.name == name)
            #expect(device.description == description)
        }

        @Test("a driver that is there and does not start is not to be installed", arguments: [true, false])
        func installation(isThere: Bool) {
            let failure = EncoderError(.backendFailure, reason: "vaInitialize: no", status: -1)
            let error = VADisplayHandle.refusal(
                of: .x11(), failure, complaint: isThere ? "iHD_drv_video.so init failed" : "no file")
            #expect(error.reason.contains("package intel-media-va-driver") != isThere)
        }
    }
}
