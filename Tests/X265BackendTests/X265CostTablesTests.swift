// SPDX-License-Identifier: MIT

import Testing

@testable import X265Backend

@Suite struct X265CostTablesTests {
    @Test("one picture is coded with each quantizer that rate control has", arguments: X265Library.possibleBitDepths)
    func quantizers(bitDepth: Int) throws {
        // A system's library need not have all depths.
        guard let library = try? X265Library(bitDepth: bitDepth) else { return }
        #expect(X265CostTables.fill(library) == Array(X265CostTables.quantizers))
    }
}
