// SPDX-License-Identifier: MIT

package import EncoderAPI

/// A setting that a library's parameters have as it is: one row says that the back end has it, where it goes, and what
/// native options may do to it.
package struct AssignedSetting<Parameters>: Sendable {
    package typealias Field = ParameterGroup<Parameters>.Field

    /// The setting, for the back end's capabilities.
    package let setting: Setting
    /// Writes it, where it is asked for.
    package let assign: @Sendable (ResolvedSettings, inout Parameters) -> Void
    /// The fields it goes to.
    package let group: ParameterGroup<Parameters>

    /// Assigns a setting that is always something, so that no native option may change it.
    package init(
        _ setting: Setting, _ fields: [Field],
        _ assign: @escaping @Sendable (SessionConfiguration, inout Parameters) -> Void
    ) {
        self.setting = setting
        self.assign = { assign($0.request, &$1) }
        group = ParameterGroup(fields, asked: { _ in setting })
    }

    /// Assigns a setting that may be left to the library.
    ///
    /// - Parameters:
    ///   - setting: A setting that has a row.
    ///   - path: Where its value is asked for.
    ///   - fields: Where it goes, and what native options may change where nobody asks for it.
    ///   - assign: Writes a value.
    ///   - text: What the fields say, as the row writes it; nil where they say nothing.
    package init<Value: Sendable>(
        _ setting: Setting, _ path: any KeyPath<ResolvedSettings, Value?> & Sendable, _ fields: [Field],
        _ assign: @escaping @Sendable (Value, inout Parameters) -> Void,
        text: @escaping @Sendable (Parameters) -> String?
    ) {
        self.setting = setting
        self.assign = { settings, parameters in
            if let value = settings[keyPath: path] { assign(value, &parameters) }
        }
        group = ParameterGroup(setting, fields, text: text)
    }
}
