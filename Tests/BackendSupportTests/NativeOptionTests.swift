// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@Suite struct NativeOptionTests {
    private let reader = OptionReader(library: "fake", words: [], form: { _ in nil }) { option in
        option.name == "ref" && option.value.flatMap { Int($0) } != nil
    }

    /// Gives options to a library that knows "ref" with a number, and would take "csv"; what it was given.
    private func set(_ options: [NativeOption]) -> (given: [NativeOption], error: EncoderError?) {
        var given: [NativeOption] = []
        do throws(EncoderError) {
            try NativeOption.set(options, for: reader, refusal: { $0.name == "csv" ? "it writes files" : nil }) {
                option in
                given.append(option)
                guard option.name == "ref" else { return .unknown(status: -1) }
                return option.value.flatMap { Int($0) } == nil ? .refusesValue(status: -2) : .taken
            }
            return (given, nil)
        } catch {
            return (given, error)
        }
    }

    @Test("options reach the library in order")
    func order() {
        let options = [NativeOption("ref", "2"), NativeOption("ref", "1")]
        let result = set(options)
        #expect(result.given == options && result.error == nil)
    }

    @Test(
        "an option that is not taken is refused by name, with its value or the reason, and ends the list",
        arguments: [
            (NativeOption("ref\0x", "1"), .invalidValue, "has a zero byte", nil),
            (NativeOption("ref", "1\0"), .invalidValue, "has a zero byte", nil),
            (NativeOption("csv", "1"), .unsupported, "is refused: it writes files", nil),
            (NativeOption("warp"), .invalidValue, "\"warp\" is unknown to fake", -1),
            (NativeOption("ref", "many"), .invalidValue, "cannot have the value \"many\"", -2),
            (NativeOption("ref"), .invalidValue, "cannot have the value none", -2),
        ] as [(NativeOption, EncoderError.Code, String, Int?)])
    func refusals(option: NativeOption, code: EncoderError.Code, says: String, status: Int?) {
        let (given, error) = set([option, NativeOption("ref", "3")])
        #expect(error?.code == code && error?.setting == .nativeOptions && error?.status == status)
        #expect(error?.reason.contains(says) == true, "\(error?.reason ?? "")")
        #expect(!given.contains(NativeOption("ref", "3")))
    }

    @Test("a word that reads as infinite is taken where the library has it, and no other number beyond its own")
    func words() {
        let reader = OptionReader(library: "fake", words: [], form: { $0 == "far" ? .word("inf") : nil }) { _ in false }
        func isTaken(_ name: String) -> Bool {
            (try? NativeOption.set([NativeOption(name, "inf")], for: reader) { _ in .taken }) != nil
        }
        #expect(isTaken("far") && !isTaken("near"))
    }
}
