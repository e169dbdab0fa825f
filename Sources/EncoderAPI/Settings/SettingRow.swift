// SPDX-License-Identifier: MIT

/// Everything about one setting, in one place: when it counts as asked for, what is legal, when a change takes effect,
/// and its value as text.
///
/// Programs set the typed properties of ``SessionConfiguration``. Rows serve whoever goes through all settings or has
/// them as text: the session's own checks, listings of what an encoder supports, command lines.
public struct SettingRow: Sendable {
    /// When a setting may change.
    @nonexhaustive
    public enum Effect: String, Sendable, Hashable, CaseIterable {
        /// Fixed when the session is made.
        case session
        /// With ``CompressionSession/update(_:)``, from the next frame on.
        case live
        /// Given with each frame, in ``FrameOptions``.
        case frame
    }

    /// What an encoder does with a setting.
    @nonexhaustive
    public enum Support: String, Sendable, Hashable, CaseIterable {
        /// It is honoured, or its adjustment listed.
        case supported
        /// It is planned with; what comes may be otherwise.
        case hint
        /// A session that asks for it is not made.
        case refused
    }

    /// The setting's name.
    public let setting: Setting
    /// When it may change.
    public let effect: Effect
    /// What its numbers count, such as "frames"; nil where they count nothing.
    public let unit: String?
    /// What the encoder does where nothing is asked.
    public let unset: String
    /// Whether the encoder plans with it and may do otherwise.
    public let isHint: Bool
    /// Whether a value that is otherwise than asked is worth a warning in the log.
    let warns: Bool

    private let form: String
    private let legal: @Sendable (EncoderCapabilities) -> String
    private let used: @Sendable (SessionConfiguration) -> String?
    private let isLegal: @Sendable (SessionConfiguration, EncoderCapabilities) -> Bool
    private let usedByFrame: @Sendable (FrameOptions) -> String?
    private let isLegalForFrame: @Sendable (FrameOptions, EncoderCapabilities) -> Bool
    private let assign: @Sendable (String, inout SessionConfiguration) -> Bool
    private let clear: @Sendable (inout SessionConfiguration) -> Void
    private let isSame: @Sendable (SessionConfiguration, SessionConfiguration) -> Bool
    private let take: @Sendable (SessionConfiguration, inout SessionConfiguration) -> Void

    /// Describes a property of the configuration.
    ///
    /// - Parameters:
    ///   - setting: Its name.
    ///   - path: Where its value stands.
    ///   - unset: The value that asks for nothing.
    ///   - meaning: What the encoder does then.
    ///   - values: What is legal, and how values are written.
    ///   - unit: What its numbers count.
    ///   - effect: When it may change.
    ///   - isHint: Whether the encoder may do otherwise.
    ///   - warns: Whether a value that is otherwise than asked is worth a warning in the log.
    init<Value: Equatable & Sendable>(
        _ setting: Setting, _ path: any WritableKeyPath<SessionConfiguration, Value> & Sendable, unset: Value,
        meaning: String, _ values: SettingValues<Value>, unit: String? = nil, effect: Effect = .session,
        isHint: Bool = false, warns: Bool = false
    ) {
        self.setting = setting
        self.effect = effect
        self.unit = unit
        self.unset = meaning
        self.isHint = isHint
        self.warns = warns
        form = values.form
        legal = values.legal
        used = { configuration in
            let value = configuration[keyPath: path]
            return value == unset ? nil : values.text(value)
        }
        isLegal = { values.isLegal($0[keyPath: path], $1) }
        usedByFrame = { _ in nil }
        isLegalForFrame = { _, _ in true }
        clear = { $0[keyPath: path] = unset }
        isSame = { $0[keyPath: path] == $1[keyPath: path] }
        take = { $1[keyPath: path] = $0[keyPath: path] }
        assign = { text, configuration in
            guard let value = values.value(text) else { return false }
            configuration[keyPath: path] = value
            return true
        }
    }

    /// Describes an option of a frame, which has no place in a configuration.
    init<Value: Equatable & Sendable>(
        ofFrames setting: Setting, _ value: @escaping @Sendable (FrameOptions) -> Value, unset: Value, meaning: String,
        _ values: SettingValues<Value>, unit: String? = nil
    ) {
        self.setting = setting
        effect = .frame
        self.unit = unit
        self.unset = meaning
        (isHint, warns) = (false, false)
        form = values.form
        legal = values.legal
        used = { _ in nil }
        isLegal = { _, _ in true }
        usedByFrame = { options in
            let value = value(options)
            return value == unset ? nil : values.text(value)
        }
        isLegalForFrame = { values.isLegal(value($0), $1) }
        assign = { _, _ in false }
        clear = { _ in }
        isSame = { _, _ in true }
        take = { _, _ in }
    }
}

extension SettingRow {
    /// The row of a setting by its name, whatever the case of its letters; nil when there is none.
    public static func named(_ name: String) -> SettingRow? {
        all.first { $0.setting.rawValue.lowercased() == name.lowercased() }
    }

    /// The legal values in words: "0...51", "one of ultrafast, superfast".
    public func legalValues(with capabilities: EncoderCapabilities) -> String { legal(capabilities) }

    /// The value as text; nil where nothing is asked.
    public func value(in configuration: SessionConfiguration) -> String? { used(configuration) }

    /// The value that an adjustment's text tells, with the unit or without; nil where it tells something else, which
    /// the encoder would not take, such as "slow with a lookahead of 0" for a preset.
    func value(writtenAs text: String, of capabilities: EncoderCapabilities) -> String? {
        let suffix = unit.map { " " + $0 } ?? ""
        let bare = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
        var scratch = SessionConfiguration(codec: .h264, width: 16, height: 16)
        return assign(bare, &scratch) && isLegal(scratch, capabilities) ? value(in: scratch) : nil
    }

    /// Sets the value that asks for nothing.
    ///
    /// - Parameter configuration: What to change.
    public func reset(in configuration: inout SessionConfiguration) { clear(&configuration) }

    /// Whether two configurations have other values.
    func differs(_ one: SessionConfiguration, _ other: SessionConfiguration) -> Bool { !isSame(one, other) }

    /// Takes the value over.
    func copy(from source: SessionConfiguration, to configuration: inout SessionConfiguration) {
        take(source, &configuration)
    }

    /// Whether an encoder has it; the session has some by itself.
    public func isSupported(by capabilities: EncoderCapabilities) -> Bool {
        Setting.keptBySession.contains(setting) || capabilities.settings.contains(setting)
    }

    /// What an encoder does with it.
    public func support(by capabilities: EncoderCapabilities) -> Support {
        guard isSupported(by: capabilities) else { return .refused }
        return isHint ? .hint : .supported
    }

    /// Sets the value that a text stands for; whether it is legal is checked when a session is made.
    ///
    /// - Parameters:
    ///   - text: As ``value(in:)`` writes it.
    ///   - configuration: What to change.
    /// - Throws: ``EncoderError`` with `.invalidValue` when the text is no value of the setting.
    public func set(_ text: String, in configuration: inout SessionConfiguration) throws(EncoderError) {
        guard assign(text, &configuration) else {
            throw EncoderError(
                .invalidValue,
                reason: effect == .frame
                    ? "\(setting) goes with a frame, not with a session"
                    : "\(setting) \"\(text)\", expected \(form)", setting: setting)
        }
    }

    /// Refuses a value that is asked for and that the encoder does not have, or that is not legal.
    func check(_ configuration: SessionConfiguration, with encoder: EncoderDescription) throws(EncoderError) {
        guard let text = used(configuration) else { return }
        try check(text, with: encoder) { isLegal(configuration, $0) }
    }

    /// Refuses what goes with a frame and is not honoured, or not legal.
    static func check(_ options: FrameOptions, with encoder: EncoderDescription) throws(EncoderError) {
        // By index: with each frame, a copy of a row would count.
        for index in ofFrames.indices {
            guard let text = ofFrames[index].usedByFrame(options) else { continue }
            try ofFrames[index].check(text, with: encoder) { ofFrames[index].isLegalForFrame(options, $0) }
        }
    }

    private static let ofFrames = all.filter { $0.effect == .frame }

    private func check(
        _ text: String, with encoder: EncoderDescription, isLegal: (EncoderCapabilities) -> Bool
    ) throws(EncoderError) {
        let capabilities = encoder.capabilities
        guard isSupported(by: capabilities) else {
            throw EncoderError(
                .unsupported,
                reason: "\(setting) \(text): \(encoder.displayName) has no \(setting) for \(encoder.codec)",
                setting: setting)
        }
        guard isLegal(capabilities) else {
            throw EncoderError(
                .invalidValue,
                reason: "\(setting) \(text)\(unit.map { " " + $0 } ?? ""), expected \(legal(capabilities))",
                setting: setting)
        }
    }
}
