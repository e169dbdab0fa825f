// SPDX-License-Identifier: MIT

import CommandOptions
@testable import MediaFiles
import Publishing
import Testing

@testable import encpublish

@Suite struct OutputListTests {
    private func list(
        _ file: String = "", variables: [String: String] = [:], encodings: Set<String> = []
    ) -> OutputList {
        OutputList(
            variable: { variables[$0] }, encodings: encodings,
            file: { path throws(MediaFileError) in
                guard path == "list" else {
                    throw MediaFileError(.cannotOpen, reason: "cannot open for reading", path: path)
                }
                return Array(file.utf8)
            })
    }

    @Test("values, lists and variables give outputs in their order")
    func order() throws {
        let text = "# servers\n\n  rtmp://h/app/key  \r\nb.ts\nenv:MORE"
        let outputs = try list(text, variables: ["MORE": "c.flv", "FIRST": "a.mkv"]).outputs([
            "env:FIRST", "@list", "d.mp4",
        ])
        #expect(outputs.map(\.description) == ["a.mkv", "rtmp://h/app/…", "b.ts", "c.flv", "d.mp4"])
    }

    @Test("an encoding's name stands before an output, a list, or a variable")
    func encodings() throws {
        let list = list(
            "a.ts\nbig=b.ts\nsmall=env:MORE", variables: ["MORE": "c.flv"], encodings: ["small", "big"])
        let outputs = try list.outputs(["@list", "small=env:MORE", "small=d.ts", "./other=e.ts"])
        #expect(
            outputs.map(\.description)
                == ["a.ts", "big=b.ts", "small=c.flv", "small=c.flv", "small=d.ts", "./other=e.ts"])
        #expect(outputs.map(\.encoding) == [nil, "big", "small", "small", "small", nil])
        // The list has an output of another encoding.
        let error = #expect(throws: OptionError.self) { try list.outputs(["small=@list"]) }
        #expect(error?.code == .conflicting)
        for output in ["smal=rtmp://h/a/SECRET", "smal=a.ts"] {
            let unknown = #expect(throws: OptionError.self) { try list.outputs([output]) }
            #expect(
                unknown?.description
                    == "'smal' before '=', expected the name of an --encoding: big, small; a file's path as ./NAME=...")
        }
    }

    @Test(
        "what cannot be read is refused with its place",
        arguments: [
            ("", ["@list"], .unusable, "list: no output in it"), ("# x\n", ["@list"], .unusable, "list: no output"),
            ("", ["@gone"], .unusable, "gone: cannot open for reading"), ("", ["@"], .malformed, "'@'"),
            ("a.ts\n@list", ["@list"], .malformed, "list, line 2: a list in a list"),
            ("a.ts\nb.xyz", ["@list"], .unknownName, "list, line 2: '…': an extension that says no container"),
            ("", ["env:NONE"], .unusable, "'env:NONE', expected the name of a variable"),
            ("", ["env:"], .unusable, "'env:'"), ("", ["env:EMPTY"], .unusable, "'env:EMPTY'"),
            ("", ["env:BAD"], .malformed, "env:BAD: rtmp://h/…"),
        ] as [(String, [String], OptionError.Code, String)])
    func refusals(file: String, values: [String], code: OptionError.Code, words: String) {
        let list = list(file, variables: ["EMPTY": "", "BAD": "rtmp://h/SECRET"])
        let error = #expect(throws: OptionError.self) { try list.outputs(values) }
        #expect(error?.code == code && error?.description.hasPrefix(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains("SECRET") == false)
    }

    @Test(
        "what a list or a variable has is not shown where it is no output",
        arguments: [
            "SECRET", "live.SECRET", "SECRET=live", "mp4:SECRET/", "flv:SECRET/", "h/app/SECRET",
            "rtmp://h/app/a SECRET", "srt://h:9000?passphrase=the SECRET words", "://h/SECRET", "rtmp;//SECRET",
        ])
    func secrets(text: String) {
        for values in [["@list"], ["env:KEY"], ["small=env:KEY"]] {
            let error = #expect(throws: OptionError.self) {
                try list(text, variables: ["KEY": text], encodings: ["small"]).outputs(values)
            }
            #expect(error?.description.lowercased().contains("secret") == false, "\(String(describing: error))")
        }
    }
}
