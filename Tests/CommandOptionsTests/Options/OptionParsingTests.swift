// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import CommandOptions

@Suite struct OptionParsingTests {
    @Test("lists keep their order and every value of every list is checked")
    func lists() throws {
        #expect(try OptionParsing.quantizers("22,27,32,37") == [22, 27, 32, 37])
        #expect(try OptionParsing.rateFactors("17,21.5") == [17, 21.5])
        #expect(try OptionParsing.bitRates("800k,2.5M") == [800_000, 2_500_000])
        #expect(throws: OptionError.self) { try OptionParsing.quantizers("22,,32") }
        #expect(throws: OptionError.self) { try OptionParsing.quantizers("") }
        #expect(throws: OptionError.self) { try OptionParsing.quantizers("22,99") }
        #expect(throws: OptionError.self) { try OptionParsing.rateFactors("17,nan") }
    }

    @Test("options that were given are named in the order in which they stand, without the others")
    func given() {
        #expect(OptionParsing.given(["--b": true, "--c": false, "--a": 1 > 0]) == ["--b", "--a"])
        #expect(OptionParsing.given(["--b": false]) == [])
        #expect(OptionParsing.given([:]) == [])
    }

    @Test("frame numbers are sorted, and each may be listed once")
    func frameNumbers() throws {
        #expect(try OptionParsing.frameNumbers("40,10,25") == [10, 25, 40])
        #expect(try OptionParsing.frameNumbers("0") == [0])
        let twice = #expect(throws: OptionError.self) { try OptionParsing.frameNumbers("5,7,5") }
        #expect(twice?.description == "'5' is listed twice")
        let negative = #expect(throws: OptionError.self) { try OptionParsing.frameNumbers("5,-1") }
        #expect(negative?.description == "'-1', expected a whole number in 0...1000000000")
    }

    @Test("a value that a list has twice is refused, however it is written")
    func repetitions() {
        func reason(_ parse: () throws -> Void) -> String? {
            #expect(throws: OptionError.self, performing: parse)?.description
        }
        #expect(reason { _ = try OptionParsing.rateFactors("20,21,20.0") } == "'20' and '20.0' are the same")
        #expect(reason { _ = try OptionParsing.quantizers("22,27,22") } == "'22' is listed twice")
        #expect(reason { _ = try OptionParsing.bitRates("200k,1M,200000") } == "'200k' and '200000' are the same")
        #expect(reason { _ = try OptionParsing.encoders("x264,x264") } == "'x264' is listed twice")
    }

    @Test("a data-rate limit is bytes, a slash, and seconds")
    func dataRateLimits() throws {
        #expect(try OptionParsing.dataRateLimit("750000/1") == DataRateLimit(bytes: 750_000, seconds: 1))
        #expect(try OptionParsing.dataRateLimit("64Ki/0.5") == DataRateLimit(bytes: 65536, seconds: 0.5))
        for text in ["750000", "750000/0", "0/1", "-5/1", "1/2/3", "/1", "5/", "5/inf"] {
            #expect(throws: OptionError.self) { try OptionParsing.dataRateLimit(text) }
        }
    }

    @Test("a size is width, x, and height")
    func sizes() throws {
        #expect(try OptionParsing.size("1280x720") == PictureSize(width: 1280, height: 720))
        for text in ["1280", "1280x", "0x5", "5x65536", "1x2x3", "1280X720", "-1x4"] {
            #expect(throws: OptionError.self) { try OptionParsing.size(text) }
        }
    }

    @Test(
        "a frame rate is a whole, decimal or exact number",
        arguments: [
            ("30", FrameRate(numerator: 30)), ("29.97", FrameRate(numerator: 30000, denominator: 1001)),
            ("24000/1001", FrameRate(numerator: 24000, denominator: 1001)),
            ("12.5", FrameRate(numerator: 12500, denominator: 1000)),
        ])
    func frameRates(text: String, rate: FrameRate) throws {
        #expect(try OptionParsing.frameRate(text) == rate)
    }

    @Test(
        "a frame rate that is no number in range is refused",
        arguments: ["-1", "0.0", "1/0", "0/1", "x", "1/2/3", "100000", "1001/1", "0.009"])
    func badFrameRates(text: String) {
        #expect(throws: OptionError.self) { try OptionParsing.frameRate(text) }
    }

    @Test("profiles and levels go by the names the API prints")
    func profileLevels() throws {
        #expect(try OptionParsing.profileLevel("h264-high-auto") == ProfileLevel(profile: .h264High))
        #expect(try OptionParsing.profileLevel("hevc-main10-4.1") == ProfileLevel(profile: .hevcMain10, level: 41))
        #expect(try OptionParsing.profileLevel("auto") == .automatic)
        let error = #expect(throws: OptionError.self) { try OptionParsing.profileLevel("high") }
        #expect(error?.description.contains("h264-high-auto") == true)
    }

    @Test("native options have a name and perhaps a value")
    func nativeOptions() throws {
        #expect(try OptionParsing.nativeOption("aq-mode=2") == NativeOption("aq-mode", "2"))
        #expect(try OptionParsing.nativeOption("no-psy") == NativeOption("no-psy"))
        #expect(try OptionParsing.nativeOption("zones=0,5,q=3") == NativeOption("zones", "0,5,q=3"))
        #expect(throws: OptionError.self) { try OptionParsing.nativeOption("=3") }
        #expect(throws: OptionError.self) { try OptionParsing.nativeOption("") }
    }
}
