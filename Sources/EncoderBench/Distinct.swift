// SPDX-License-Identifier: MIT

/// The values in the order of their first appearance.
package func distinct(_ values: [String]) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
}
