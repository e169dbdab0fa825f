// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Testing

@Suite struct AdjustmentSentenceTests {
    @Test("an option that nobody wrote is not told of, wherever it is not alone")
    func added() {
        func sentence(_ setting: Setting, _ requested: String, _ used: String) -> String {
            Adjustment(setting, requested: requested, used: used, reason: "so").sentence
        }
        #expect(
            sentence(.nativeOptions, "force-cfr:ref=99", "force-cfr:ref=16")
                == "NativeOptions: ref=99 became ref=16: so")
        #expect(sentence(.nativeOptions, "ref=99", "ref=16") == "NativeOptions: ref=99 became ref=16: so")
        #expect(
            sentence(.nativeOptions, "force-cfr", "force-cfr=0") == "NativeOptions: force-cfr became force-cfr=0: so")
        #expect(sentence(.preset, "force-cfr:a", "force-cfr:b") == "Preset: force-cfr:a became force-cfr:b: so")
    }
}
