// SPDX-License-Identifier: MIT

package import EncoderAPI

/// A setting that a library's parameters have as they are: one line says that the back end has it, and where it goes.
package struct AssignedSetting<Parameters>: Sendable {
    /// The setting, for the back end's capabilities.
    package let setting: Setting
    /// Writes it, where it is asked for.
    package let assign: @Sendable (SessionConfiguration, inout Parameters) -> Void

    /// Assigns a setting that is always something.
    package init(
        _ setting: Setting, _ assign: @escaping @Sendable (SessionConfiguration, inout Parameters) -> Void
    ) {
        self.setting = setting
        self.assign = assign
    }

    /// Assigns a setting that may be left to the library.
    package init<Value: Sendable>(
        _ setting: Setting, _ path: any KeyPath<SessionConfiguration, Value?> & Sendable,
        _ assign: @escaping @Sendable (Value, inout Parameters) -> Void
    ) {
        self.init(setting) { request, parameters in
            if let value = request[keyPath: path] { assign(value, &parameters) }
        }
    }
}
