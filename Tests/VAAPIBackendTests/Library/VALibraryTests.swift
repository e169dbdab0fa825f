// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Glibc
import Logging
import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct VALibraryTests {
    @Test(
        "a failed call is an error with libva's words and status, and a code to switch on",
        arguments: [
            (VA_STATUS_ERROR_ALLOCATION_FAILED, EncoderError.Code.outOfMemory),
            (VA_STATUS_ERROR_TIMEDOUT, .timedOut), (VA_STATUS_ERROR_UNSUPPORTED_PROFILE, .unsupported),
            (VA_STATUS_ERROR_OPERATION_FAILED, .backendFailure),
        ])
    func failure(status: Int32, code: EncoderError.Code) throws {
        let library = try VALibrary()
        let words = try #require(library.call.vaErrorStr(status).map { String(cString: $0) })
        let error = #expect(throws: EncoderError.self) { try library.check(status, "vaCreateConfig") }
        #expect(error?.code == code)
        #expect(error?.reason == "vaCreateConfig: \(words)")
        #expect(error?.status == Int(status))
    }

    @Test(
        "a library that does not open is named, with the loader's reason and its package",
        arguments: [
            ("libva.so.2", "libva2 libva-drm2"), ("libva-drm.so.2", "libva-drm2"), ("libva-x11.so.2", "libva-x11-2"),
            // What is broken may be what a library needs.
            ("libX11.so.6", "libva-x11-2"),
        ])
    func broken(library: String, package: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write([], to: library)
            setenv("LD_LIBRARY_PATH", folder.path(""), 1)
            defer { unsetenv("LD_LIBRARY_PATH") }
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                for device in [
                    VADevice.x11(display: ":4711"), .renderNode(RenderNode(path: "/nonexistent/renderD128")),
                ] {
                    let error = #expect(throws: EncoderError.self) {
                        try VADisplayHandle(opening: device, logger: Logger(label: "test"))
                    }
                    if error?.code == .noEncoder { print(error?.reason ?? "") }
                }
            }
            let said = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
            #expect(
                said.contains(" does not open: \(path): file too short (apt install \(package))"), "\(said)")
        }
    }

    @Test("a call that succeeded is no error")
    func success() throws {
        try VALibrary().check(VA_STATUS_SUCCESS, "vaCreateConfig")
    }
}
