// SPDX-License-Identifier: MIT

#if os(Linux)
    /// A number of 16 bits that was read as it lies in memory, big-endian.
    public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }

    /// A number of 32 bits that was read as it lies in memory, big-endian.
    public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }

    /// A number of 64 bits that was read as it lies in memory, big-endian.
    public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }

    /// A number of 16 bits as it must lie in memory to be big-endian.
    public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }

    /// A number of 32 bits as it must lie in memory to be big-endian.
    public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }

    /// A number of 64 bits as it must lie in memory to be big-endian.
    public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }

    /// A number of 16 bits with its bytes in the other order.
    public func CFSwapInt16(_ arg: UInt16) -> UInt16 { arg.byteSwapped }

    /// A number of 32 bits with its bytes in the other order.
    public func CFSwapInt32(_ arg: UInt32) -> UInt32 { arg.byteSwapped }

    /// A number of 64 bits with its bytes in the other order.
    public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }
#endif
