// SPDX-License-Identifier: MIT

extension ResolvedSettings {
    /// The request with what was decided in place of what was asked: the rates and bounds that count now, the level,
    /// frame rate, reordering and clock that the encoder is opened with.
    ///
    /// What only the library decides, it still leaves open.
    public var inForce: SessionConfiguration {
        var configuration = request
        configuration.live = live.asked
        configuration.live.rateControl = live.rate.control
        configuration.live.expectedFrameRate = live.pace ?? plan.frameRate
        configuration.profileLevel.level = plan.level
        configuration.color = request.signalledColor
        configuration.allowFrameReordering = plan.allowFrameReordering
        configuration.timescale = plan.timescale
        configuration.pipelineCapacity = request.pipelineCapacity ?? request.source.pipelineCapacity
        return configuration
    }
}

extension SettingRow {
    /// The value in force as text, where it is known; nil where the encoder decides.
    ///
    /// - Parameter settings: Of a session; see ``CompressionSession/effective``.
    /// - Returns: The text, as ``value(in:)`` writes it.
    public func value(inForce settings: ResolvedSettings) -> String? { value(in: settings.inForce) }
}
