// SPDX-License-Identifier: MIT

/// A value of one thread, in memory of its own.
///
/// As a stored property of a class it would cost a check of exclusive access each time, which one thread does not need
/// whose accesses never overlap: what is called on the value must not come back to it.
package struct Confined<Value>: ~Copyable {
    private let pointer: UnsafeMutablePointer<Value>

    package init(_ value: Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    package var value: Value {
        @inline(__always) _read { yield pointer.pointee }
        @inline(__always) nonmutating _modify { yield &pointer.pointee }
    }
}
