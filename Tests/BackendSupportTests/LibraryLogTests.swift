// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Logging
import TestSupport
import Testing

@Suite struct LibraryLogTests {
    @Test("errors are held until the library is open, told by the one that is thrown, and warnings where none is")
    func opening() {
        let recording = RecordingLog()
        let log = LibraryLog(recording.logger(level: .debug), library: "library")
        log.take("first", level: .error)
        log.take("beware", level: .warning)
        log.take("second", level: .error)
        #expect(recording.texts(.error).isEmpty && recording.texts(.warning) == ["beware"])
        #expect(log.complaint == "first; second")
        log.noteOpen()
        #expect(recording.texts(.error).isEmpty && recording.texts(.warning) == ["beware", "first", "second"])
    }

    @Test("a warning that says nothing to the caller is logged at debug")
    func quiet() {
        let recording = RecordingLog()
        let log = LibraryLog(recording.logger(level: .debug), library: "library", quiet: ["VBV underflow"])
        log.take("VBV underflow (frame 3, -56 bits)", level: .warning)
        log.take("underflow", level: .warning)
        #expect(recording.texts(.warning) == ["underflow"])
        #expect(recording.texts(.debug) == ["VBV underflow (frame 3, -56 bits)"])
    }

    @Test("the eleventh warning that begins like others is logged at debug, and the tenth says so")
    func repeated() {
        let recording = RecordingLog()
        let log = LibraryLog(recording.logger(level: .debug), library: "library")
        for number in 1...12 { log.take("VBV underflow (frame \(number), -56 bits)", level: .warning) }
        log.take("beware", level: .warning)
        let warnings = recording.texts(.warning)
        #expect(warnings.count == 11 && warnings.last == "beware" && !warnings[8].contains("more of this kind"))
        #expect(warnings[9] == "VBV underflow (frame 10, -56 bits); more of this kind are logged at debug")
        let quiet = recording.texts(.debug)
        #expect(quiet == ["VBV underflow (frame 11, -56 bits)", "VBV underflow (frame 12, -56 bits)"])
    }

    @Test("a failed call is explained by the latest errors since the library opened, with its status")
    func failure() {
        let recording = RecordingLog()
        let log = LibraryLog(recording.logger(level: .debug), library: "library")
        log.take("while opening", level: .error)
        log.noteOpen()
        #expect(log.failure(of: "encode", -3).reason == "encode failed: no reason given")
        for number in 1...6 { log.take("error \(number)", level: .error) }
        log.take("beware", level: .warning)
        let error = log.failure(of: "encode", -3)
        #expect(error.code == .backendFailure && error.status == -3)
        #expect(error.reason == "encode failed: error 3; error 4; error 5; error 6")
        #expect(recording.texts(.error).count == 6 && recording.texts(.warning) == ["while opening", "beware"])
    }
}
