// SPDX-License-Identifier: MIT

/// `Ceil(Log2(count))`: how many bits tell `count` things apart; 0 for one or none.
func ceilLog2(_ count: Int) -> Int {
    count > 1 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0
}
