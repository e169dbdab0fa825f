// SPDX-License-Identifier: MIT

import Publishing

@main enum LeanPublisher {
    static func main() { print(TrackID.video == TrackID(.video) ? "publishes" : "") }
}
