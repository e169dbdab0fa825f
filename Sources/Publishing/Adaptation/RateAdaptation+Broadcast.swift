// SPDX-License-Identifier: MIT

public import EncoderAPI

extension RateAdaptation {
    /// Follows one output of a broadcast, until that has ended or the task is cancelled.
    ///
    /// Only what happens while the output publishes is measured; each new connection begins anew.
    ///
    /// - Parameters:
    ///   - output: The output, a live one: what a file cannot take yet is waited for.
    ///   - broadcast: The broadcast that it belongs to.
    ///   - interval: How long each measurement lasts, 10 ms to an hour, clamped; 1 s by default.
    /// - Throws: `EncoderError` where the session does not take a rate, as after its end.
    public func follow(
        _ output: OutputID, of broadcast: Broadcast, every interval: Duration = .seconds(1)
    ) async throws(EncoderError) {
        let interval = min(max(interval, .milliseconds(10)), .seconds(3600))
        var before: OutputStatistics?
        while let now = broadcast.statistics[output], !now.state.isFinal {
            if now.state == .publishing, let last = before, last.openings == now.openings {
                try await observe(
                    RateAdapter.Sample(
                        queueAge: .seconds(now.queueAge.seconds), bytesSent: now.byteCount - last.byteCount))
            } else {
                reconnect()
            }
            before = now.state == .publishing ? now : nil
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }
}
