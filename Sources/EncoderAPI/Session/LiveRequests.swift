// SPDX-License-Identifier: MIT

/// The live settings as asked last, which the session's thread may have yet to come to: pure.
struct LiveRequests {
    private(set) var settings: LiveSettings
    /// Changes so far.
    private(set) var count = 0

    init(_ settings: LiveSettings) { self.settings = settings }

    /// Notes a change that was asked for.
    mutating func note(_ settings: LiveSettings) {
        self.settings = settings
        count += 1
    }

    /// Takes what is in force after a change, made or not, as what is asked, unless others were asked for meanwhile.
    ///
    /// - Parameters:
    ///   - number: Which change it was, counted from 1.
    ///   - live: What is in force.
    mutating func settle(_ number: Int, as live: LiveSettings) {
        if count == number { settings = live }
    }
}
