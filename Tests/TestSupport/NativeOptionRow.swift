// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Settings with a native option, and what becomes of them.
public struct NativeOptionRow: Sendable, CustomStringConvertible {
    /// Its words, with the option.
    public let description: String
    /// What the error or the adjustment must say.
    public let says: String
    private let option: NativeOption
    private let change: @Sendable (inout SessionConfiguration) -> Void

    /// Makes a row; `text` is the option as a command line has it, such as "crf=40".
    public init(
        _ text: String, _ says: String, _ change: @escaping @Sendable (inout SessionConfiguration) -> Void = { _ in }
    ) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        option = NativeOption(parts[0], parts.count > 1 ? parts[1] : nil)
        (self.says, self.change, description) = (says, change, "\(text): \(says)")
    }

    /// The settings, of small pictures in a format of `codec`.
    public func configuration(_ codec: VideoCodec) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: codec, width: 320, height: 240)
        (configuration.preset, configuration.threadCount) = ("veryfast", 1)
        configuration.live.expectedFrameRate = 30
        change(&configuration)
        configuration.nativeOptions.append(option)
        return configuration
    }

    /// The error of a session with these settings; nil where there is none.
    public func refusal(by backend: some ImmediateBackend, _ codec: VideoCodec) -> EncoderError? {
        do throws(EncoderError) {
            _ = try CompressionSession(configuration(codec), encoder: backend)
            return nil
        } catch {
            return error
        }
    }

    /// Whether a session with these settings is refused with the option, its value and what is expected instead.
    public func isRefusedForValue(by backend: some ImmediateBackend, _ codec: VideoCodec) -> Bool {
        guard let error = refusal(by: backend, codec) else { return false }
        let value = option.value.map { "\"\($0)\"" } ?? "none"
        return error.code == .invalidValue && error.setting == .nativeOptions
            && error.reason.contains("\"\(option.name)\" cannot have the value \(value), expected")
            && error.reason.contains(says)
    }

    /// Opens a session with these settings: what it does otherwise than asked, and the value of `setting` in force.
    public func outcome(
        _ setting: Setting, of backend: some ImmediateBackend, _ codec: VideoCodec
    ) async throws -> (adjustments: [Adjustment], value: String?) {
        let session = try CompressionSession(configuration(codec), encoder: backend)
        try await session.prepare()
        defer { session.invalidate() }
        return (session.adjustments, session.value(of: setting))
    }
}
