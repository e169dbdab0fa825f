// SPDX-License-Identifier: MIT

import ParameterSets

/// What a format description says beyond its parameter sets, read from them.
struct ParsedParameterSets {
    var codedWidth = 0
    var codedHeight = 0
    var displayWidth = 0
    var displayHeight = 0
    var configurationRecord: [UInt8] = []
    var codecString = ""

    init(codec: VideoCodec, parameterSets: [[UInt8]], nalUnitLengthSize: Int) throws(EncoderError) {}
}
