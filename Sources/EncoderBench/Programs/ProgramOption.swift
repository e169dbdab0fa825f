// SPDX-License-Identifier: MIT

package import EncoderAPI

/// How a library's own options are said to its program, where a flag takes no value and some names are missing.
package struct ProgramOption: Sendable {
    /// Which words a flag has.
    enum Flag {
        /// `--name` and `--no-name`.
        case both
        /// `--name` alone; it is off unless it was asked for.
        case on
        /// `--name` alone, and to refuse it changes something too.
        case onWithMore
        /// `--no-name` alone; it is on unless it was refused.
        case off
        /// `--no-name` alone, and other options turn it off too.
        case offByOthers
    }

    private let flags: [String: Flag]
    /// Names that the program does not have, although the library does.
    private let missing: Set<String>

    /// - Parameters:
    ///   - flags: Names of flags, separated by blanks, by the words that they have.
    ///   - missing: Names of options that the program does not have.
    init(_ flags: KeyValuePairs<Flag, String>, missing: String = "") {
        var named: [String: Flag] = [:]
        for (flag, names) in flags {
            for name in names.split(separator: " ") { named[String(name)] = flag }
        }
        self.flags = named
        self.missing = Set(missing.split(separator: " ").map(String.init))
    }

    /// The names of all flags.
    package var flagNames: [String] { flags.keys.sorted() }

    /// The options in the program's words, in their order.
    ///
    /// - Returns: nil where the program has no words for one of them.
    package func words(_ options: [NativeOption]) -> [String]? {
        var words: [String] = []
        let names = options.map { Self.split($0.name).name }
        for option in options {
            let name = Self.split(option.name).name
            guard let added = self.words(option, isAlone: names.count { $0 == name } == 1) else { return nil }
            words += added
        }
        return words
    }

    private func words(_ option: NativeOption, isAlone: Bool) -> [String]? {
        let (name, isNegated) = Self.split(option.name)
        guard !missing.contains(name) else { return nil }
        guard let flag = flags[name] else {
            guard isNegated else { return ["--" + name, option.value ?? "true"] }
            return Self.truth(option.value) == true ? ["--no-" + name] : nil
        }
        guard let value = Self.truth(option.value) else { return nil }
        switch (flag, value != isNegated) {
        case (.both, true), (.on, true), (.onWithMore, true): return ["--" + name]
        case (.both, false), (.off, false), (.offByOthers, false): return ["--no-" + name]
        // What it is without a word, unless another option of the same name says otherwise.
        case (.on, false), (.off, true): return isAlone ? [] : nil
        case (.onWithMore, false), (.offByOthers, true): return nil
        }
    }

    /// A name as the libraries look it up: with "-" for "_", and without the prefix that negates it.
    package static func split(_ text: String) -> (name: String, isNegated: Bool) {
        let spelled = String(text.map { $0 == "_" ? "-" : $0 })
        let name = spelled.hasPrefix("--") ? String(spelled.dropFirst(2)) : spelled
        guard name.hasPrefix("no") else { return (name, false) }
        return (String(name.dropFirst(name.hasPrefix("no-") ? 3 : 2)), true)
    }

    /// The value of a flag, which is true where none is given; nil for other values.
    private static func truth(_ value: String?) -> Bool? {
        switch value {
        case nil, "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}
