// SPDX-License-Identifier: MIT

import EncoderAPI

@main enum LeanEncoder {
    static func main() { print(MediaTime(value: 1, timescale: 30).seconds > 0 ? "encodes" : "") }
}
