// SPDX-License-Identifier: MIT

extension SyntaxCoder {
    /// Refuses a count of elements that the data left cannot hold, before anything is allocated for them.
    ///
    /// - Parameters:
    ///   - name: The count's name.
    ///   - count: How many elements follow.
    ///   - bits: How many bits each takes at least.
    /// - Throws: ``ParameterSetError`` with `.endOfData`; never when writing.
    func checkRoom(_ name: StaticString, count: Int, bits: Int) throws(ParameterSetError) {
        guard !Self.isReading || count * bits <= remainingBits else {
            throw failure(
                .endOfData, SyntaxName(name), "\(count) elements of \(bits) bits or more, but \(remainingBits) remain")
        }
    }
}
