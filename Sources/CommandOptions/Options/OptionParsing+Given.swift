// SPDX-License-Identifier: MIT

extension OptionParsing {
    /// The names of those options that were given, in their order.
    ///
    /// The type of the argument is stated here, as the compiler takes most of a minute to find one for twenty pairs.
    package static func given(_ options: KeyValuePairs<String, Bool>) -> [String] {
        options.filter(\.value).map(\.key)
    }
}
