// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Fields of a library's parameters that one setting, the session or the library's own options decide.
///
/// Groups that hold every field once say what a native option may change. Fields are compared as texts, which numbers,
/// arrays and pointers all have.
package struct ParameterGroup<Parameters>: Sendable {
    /// A field of the library's parameters.
    package typealias Field = any PartialKeyPath<Parameters> & Sendable
    /// A setting with the text of its value.
    package typealias Value = (setting: Setting, text: String)

    /// Who decides fields.
    enum Owner: Sendable {
        /// The preset and native options.
        case options
        /// The session, whatever is asked, for this reason.
        case session(String)
        /// The setting that this names; where it names none, native options may decide.
        case setting(@Sendable (ResolvedSettings) -> Setting?)
    }

    let owner: Owner
    package let fields: [Field]
    let value: @Sendable (Parameters, ResolvedSettings) -> Value?

    /// Fields that are free for native options.
    package init(options fields: [Field]) {
        owner = .options
        self.fields = fields
        value = { _, _ in nil }
    }

    /// Fields that the session needs as they are.
    ///
    /// - Parameters:
    ///   - fields: Fields that no native option may change.
    ///   - reason: Why, as the end of a sentence.
    package init(session fields: [Field], _ reason: String) {
        owner = .session(reason)
        self.fields = fields
        value = { _, _ in nil }
    }

    /// Fields that follow from settings.
    ///
    /// - Parameters:
    ///   - fields: Fields that native options may change where nobody asked for the setting.
    ///   - asked: The setting that was asked for; nil where nobody asked.
    ///   - value: What the fields say, as the row of a setting writes it; nil where they say nothing.
    package init(
        _ fields: [Field], asked: @escaping @Sendable (ResolvedSettings) -> Setting?,
        value: @escaping @Sendable (Parameters, ResolvedSettings) -> Value? = { _, _ in nil }
    ) {
        owner = .setting(asked)
        self.fields = fields
        self.value = value
    }

    /// Fields that follow from one setting, where it is in force.
    ///
    /// - Parameters:
    ///   - setting: A setting that has a row.
    ///   - fields: Fields that native options may change where nobody asked for it.
    ///   - text: What the fields say, as the row writes it; nil where they say nothing.
    package init(
        _ setting: Setting, _ fields: [Field], text: @escaping @Sendable (Parameters) -> String? = { _ in nil }
    ) {
        self.init(fields, asked: { setting.asked(in: $0) == nil ? nil : setting }) { parameters, _ in
            text(parameters).map { (setting: setting, text: $0) }
        }
    }

    /// The setting that decides the fields; nil where nobody asked for one.
    func asked(_ settings: ResolvedSettings) -> Setting? {
        guard case .setting(let asked) = owner else { return nil }
        return asked(settings)
    }
}

extension Setting {
    /// The value in force with its unit; nil where nothing is asked.
    func asked(in settings: ResolvedSettings) -> String? {
        guard let row = SettingRow.named(rawValue), let text = row.value(inForce: settings) else { return nil }
        return row.unit.map { "\(text) \($0)" } ?? text
    }

    /// What happens where nothing is asked.
    var unset: String { SettingRow.named(rawValue)?.unset ?? "none" }
}

// Which setting decides what several libraries have alike.
extension ResolvedSettings {
    /// The setting that decides the bits of a picture.
    package var askedRate: Setting? { live.rate.control.setting }

    /// The setting that bounds the rate by a buffer.
    package var askedBuffer: Setting? {
        guard live.rate.buffer != nil else { return askedLevel }
        let isOfAverage = live.asked.dataRateLimits.isEmpty && live.rate.control.bitsPerSecond != nil
        return isOfAverage ? askedRate : .dataRateLimits
    }

    /// The setting that says how full the buffer starts: with limits the session sees to it.
    package var askedBufferStart: Setting? {
        if live.asked.vbvInitialDelayPercentage != nil { return .vbvInitialDelayPercentage }
        return live.asked.dataRateLimits.isEmpty ? nil : .dataRateLimits
    }

    /// Whether the library repeats parameter sets at key frames itself, and counts them, as the program does: not in
    /// sessions that keep limits, which count none, nor with a constant rate whose stream does not have them at every
    /// sync frame, which would come short by them.
    package var repeatsHeaders: Bool {
        let areRepeated = request.parameterSets == .everySyncFrame
        return live.asked.dataRateLimits.isEmpty && (areRepeated || !live.rate.control.isConstantBitRate)
    }

    /// The constant bit rate, where it is asked for.
    package var askedFiller: Setting? { live.rate.control.isConstantBitRate ? .constantBitRate : nil }

    /// The setting that names a level.
    package var askedLevel: Setting? {
        guard plan.level != nil else { return nil }
        return isLevelFromCeiling ? .bitRateCeiling : .profileLevel
    }

    /// The setting that allows no B pictures.
    package var askedBPictures: Setting? {
        if request.profileLevel.profile?.allowsFrameReordering == false { return .profileLevel }
        return plan.allowFrameReordering ? askedRealTime : .allowFrameReordering
    }

    /// Real time, where it is asked for.
    package var askedRealTime: Setting? { request.realTime ? .realTime : nil }

    /// The setting that quantizers cannot keep which are fixed beforehand.
    package var brokenByFixedQuantizers: Setting? {
        if let askedBuffer { return askedBuffer }
        return live.askedQuantizerBound
    }

    /// An average in units of 1000 bit/s, as a parameter group tells it.
    package static func average(kilobits: Int) -> (setting: Setting, text: String) {
        (.averageBitRate, "\(kilobits * 1000) bit/s")
    }

    /// Two numbers as the text of a buffer.
    package static func text(bitsPerSecond: Int, bufferBits: Int) -> String {
        "\(bitsPerSecond) bit/s from a buffer of \(bufferBits) bits"
    }
}

extension LiveParameters {
    /// The setting that bounds the quantizer, the smallest before the largest; nil where none does.
    package var askedQuantizerBound: Setting? {
        if asked.minAllowedFrameQP != nil { return .minAllowedFrameQP }
        return asked.maxAllowedFrameQP == nil ? nil : .maxAllowedFrameQP
    }
}
