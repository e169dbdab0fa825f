// SPDX-License-Identifier: MIT

/// Seconds that `body` takes.
@discardableResult
func time<Result>(_ body: () throws -> Result) rethrows -> Double {
    let clock = ContinuousClock()
    var result: Result?
    let duration = try clock.measure { result = try body() }
    withExtendedLifetime(result) {}
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}

/// With two digits behind the point.
func rounded(_ value: Double) -> Double {
    (value * 100).rounded() / 100
}
