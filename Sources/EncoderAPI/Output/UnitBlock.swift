// SPDX-License-Identifier: MIT

/// The bytes of one access unit in memory of their own, which stays where it is as long as this does.
///
/// For doors whose clients keep and write the bytes by pointer: one block belongs to one access unit, and the session
/// neither reads nor writes it once the unit is delivered.
package final class UnitBlock: Sendable {
    /// The memory; whoever takes the access unit decides who reads and writes it when.
    // The session writes before the unit is delivered and never after, so only the unit's holder touches it then.
    package nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Takes memory for so many bytes, uninitialized.
    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit { bytes.deallocate() }
}

/// Where sessions put the bytes of access units.
package enum UnitMemory: Sendable {
    /// In the array that ``AccessUnit/data`` is.
    case array
    /// In ``AccessUnit/block``, of which ``AccessUnit/data`` is then a copy, made each time it is asked for.
    case block
}
