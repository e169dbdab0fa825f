// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
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

    @Test("a call that succeeded is no error")
    func success() throws {
        try VALibrary().check(VA_STATUS_SUCCESS, "vaCreateConfig")
    }
}
