// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What native options, and then the library, made of the parameters that settings became: field by field.
package struct ParameterComparison<Parameters> {
    private let groups: [ParameterGroup<Parameters>]
    let settings: ResolvedSettings
    /// The setting that parameters break although its own fields are as they were; nil where they break none.
    private let broken: (Parameters) -> Setting?
    /// What settings made.
    let wanted: Parameters
    /// What settings and the options so far made.
    private(set) var given: Parameters
    private(set) var options: [NativeOption] = []
    /// Which option was the last to change a field.
    private(set) var changes: [PartialKeyPath<Parameters>: Int] = [:]

    /// Starts with what settings made, to which no option was applied.
    ///
    /// - Parameters:
    ///   - parameters: Of the library.
    ///   - groups: All fields.
    ///   - settings: The settings that the parameters were made from.
    ///   - broken: The setting that parameters break although its own fields are as they were; nil for none.
    package init(
        _ parameters: Parameters, _ groups: [ParameterGroup<Parameters>], _ settings: ResolvedSettings,
        broken: @escaping (Parameters) -> Setting?
    ) {
        (wanted, given, self.groups, self.settings, self.broken) = (parameters, parameters, groups, settings, broken)
    }

    static func text(_ field: PartialKeyPath<Parameters>, in parameters: Parameters) -> String {
        "\(parameters[keyPath: field])"
    }

    /// Whether any field of `groups` is different in two sets of parameters.
    package static func differs(
        _ left: Parameters, _ right: Parameters, in groups: [ParameterGroup<Parameters>]
    ) -> Bool {
        groups.contains { group in group.fields.contains { text($0, in: left) != text($0, in: right) } }
    }

    // MARK: - Native options

    /// Compares the parameters after an option.
    ///
    /// - Throws: ``EncoderError`` that names the option and the setting it contradicts.
    package mutating func note(_ option: NativeOption, _ parameters: Parameters) throws(EncoderError) {
        for group in groups {
            let changed = group.fields.filter { Self.text($0, in: parameters) != Self.text($0, in: given) }
            guard !changed.isEmpty else { continue }
            switch group.owner {
            case .options: break
            case .session(let reason): throw option.refusal(reason)
            case .setting(let asked):
                if let setting = asked(settings) { throw option.refusal(contradicting: setting, settings) }
            }
            for field in changed { changes[field] = options.count }
        }
        if let setting = broken(parameters), broken(given) == nil {
            throw option.refusal(contradicting: setting, settings)
        }
        options.append(option)
        given = parameters
    }

    // MARK: - The open library

    /// What the library uses otherwise than asked, and what native options decided where nobody asked for a setting.
    ///
    /// - Parameters:
    ///   - parameters: Those in force in the open library.
    ///   - library: Its name.
    /// - Returns: Settings with the values in force; last of all the native options that the library changed.
    package func adjustments(inForce parameters: Parameters, of library: String) -> [Adjustment] {
        groups.compactMap { group in
            if group.asked(settings) != nil { return bounded(group, parameters, library) }
            return decided(group, parameters)
        } + changedOptions(parameters, library)
    }

    private func bounded(
        _ group: ParameterGroup<Parameters>, _ parameters: Parameters, _ library: String
    ) -> Adjustment? {
        let (asked, used) = (group.value(given, settings), group.value(parameters, settings))
        guard asked?.setting != used?.setting || asked?.text != used?.text,
            let setting = asked?.setting ?? used?.setting
        else { return nil }
        return Adjustment(
            setting, requested: asked?.text ?? setting.unset,
            used: used.map { $0.setting == setting ? $0.text : "\($0.setting) \($0.text)" } ?? "none",
            reason: "\(library) takes no other value with the other settings")
    }

    private func decided(_ group: ParameterGroup<Parameters>, _ parameters: Parameters) -> Adjustment? {
        guard let index = group.fields.compactMap({ changes[$0] }).max(),
            let used = group.value(parameters, settings)
        else { return nil }
        return Adjustment(
            used.setting, requested: used.setting.unset, used: used.text,
            reason: "\(options[index].quotedName) decides it")
    }

    /// Options whose numbers the library replaced when it opened.
    private func changedOptions(_ parameters: Parameters, _ library: String) -> [Adjustment] {
        var replaced: [Int: [String]] = [:]
        for group in groups where group.value(parameters, settings) == nil {
            for field in group.fields {
                guard let index = changes[field], parameters[keyPath: field] is any Numeric else { continue }
                let used = Self.text(field, in: parameters)
                if used != Self.text(field, in: given) { replaced[index, default: []].append(used) }
            }
        }
        guard !replaced.isEmpty else { return [] }
        let used = options.enumerated().map { index, option in
            replaced[index].map { "\(option.name)=\($0.joined(separator: ","))" } ?? option.text
        }
        return [
            Adjustment(
                .nativeOptions, requested: options.map(\.text).joined(separator: ":"),
                used: used.joined(separator: ":"),
                reason: "\(library) takes no other value with the settings")
        ]
    }
}
