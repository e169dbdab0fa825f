// SPDX-License-Identifier: MIT

/// The settings as asked last, which the session's thread may have yet to come to: pure.
struct SettingRequests {
    /// All settings; the size, format and color of pictures may be asked for apart from it.
    private(set) var configuration: SessionConfiguration
    /// Changes so far.
    private(set) var count = 0

    init(_ configuration: SessionConfiguration) { self.configuration = configuration }

    /// Notes a change that was asked for.
    mutating func note(_ configuration: SessionConfiguration) {
        self.configuration = configuration
        count += 1
    }

    /// Takes what is in force after a change, made or not, as what is asked, unless others were asked for meanwhile.
    ///
    /// - Parameters:
    ///   - number: Which change it was, counted from 1.
    ///   - configuration: What is in force.
    mutating func settle(_ number: Int, as configuration: SessionConfiguration) {
        if count == number { self.configuration = configuration }
    }
}
