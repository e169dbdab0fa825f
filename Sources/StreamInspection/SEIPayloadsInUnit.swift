// SPDX-License-Identifier: MIT

import ParameterSets

extension SEIPayloadNames {
    /// The payloads of an SEI unit's elements; none for other units.
    ///
    /// A type is coded as bytes of 255 and a last smaller one, and so is the size behind it.
    static func payloads(in elements: [SyntaxElement]) -> [String] {
        var payloads: [String] = []
        var sum = 0
        for element in elements {
            switch element.name.field {
            case "ff_byte":
                sum += 255
            case "last_payload_type_byte":
                let type = sum + (element.number ?? 0)
                payloads.append(name(of: type) ?? "payload type \(type)")
                sum = 0
            default:
                sum = 0
            }
        }
        return payloads
    }
}
