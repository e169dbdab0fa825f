// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// The miscellaneous structures that tell a driver a rate plan.
extension VARatePlan {
    var control: VAEncMiscParameterRateControl {
        var control = VAEncMiscParameterRateControl()
        control.bits_per_second = UInt32(clamping: mostBitsPerSecond)
        control.target_percentage = UInt32(targetPercentage)
        // In milliseconds, as va.h has it: how long the buffer takes to fill.
        control.window_size = UInt32(clamping: mostBitsPerSecond > 0 ? bufferBits * 1000 / mostBitsPerSecond : 0)
        control.min_qp = UInt32(minQP)
        control.max_qp = UInt32(maxQP)
        control.ICQ_quality_factor = mode == UInt32(VA_RC_ICQ) ? UInt32(qualityFactor) : 0
        control.quality_factor = mode == UInt32(VA_RC_QVBR) ? UInt32(qualityFactor) : 0
        // No picture is left out; but for a constant bit rate, one may be less than asked, and nothing is stuffed.
        control.rc_flags.bits.disable_frame_skip = 1
        control.rc_flags.bits.disable_bit_stuffing = fillsUp ? 0 : 1
        return control
    }

    var hypotheticalDecoder: VAEncMiscParameterHRD {
        var decoder = VAEncMiscParameterHRD()
        decoder.buffer_size = UInt32(clamping: bufferBits)
        decoder.initial_buffer_fullness = UInt32(clamping: initialBufferBits)
        return decoder
    }

    var rate: VAEncMiscParameterFrameRate {
        let (numerator, denominator) = frameRate.terms(numeratorMost: 0xffff, denominatorMost: 0xfff)
        var rate = VAEncMiscParameterFrameRate()
        rate.framerate = UInt32(denominator) << 16 | UInt32(numerator)
        return rate
    }
}

extension FrameRate {
    /// The nearest fraction of small terms: a driver's fields are of 16 bits, and iHD reads 12 of the denominator.
    ///
    /// 30 where the rate is none.
    func terms(numeratorMost: Int, denominatorMost: Int) -> (numerator: Int, denominator: Int) {
        guard isPositive else { return (30, 1) }
        let terms = Self.convergent(numerator, over: denominator, within: (numeratorMost, denominatorMost))
        // A rate beyond all that fits has no convergent.
        return terms.denominator > 0 ? (max(terms.numerator, 1), terms.denominator) : (numeratorMost, 1)
    }
}
