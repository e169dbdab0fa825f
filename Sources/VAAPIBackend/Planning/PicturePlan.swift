// SPDX-License-Identifier: MIT

/// Everything that is decided of one picture before it is coded: what headers say and what structures hold comes from
/// this.
struct PicturePlan: Sendable, Hashable {
    /// A picture that was coded and is kept.
    struct Reference: Sendable, Hashable {
        /// The surface it was reconstructed on.
        let slot: Int
        /// Pictures from its IDR picture on, in display order.
        let displayIndex: Int
        /// Reference pictures from its IDR picture on, in coding order.
        let referenceIndex: Int
    }

    /// The picture's place and kind.
    let picture: GOPPlanner.Picture
    /// The surface it is reconstructed on, which none of ``kept`` is on.
    let slot: Int
    /// Reference pictures from the IDR picture on that were coded before it; 0 for the IDR picture itself.
    let referenceIndex: Int
    /// IDR pictures before it, and not counting itself.
    let idrIndex: Int
    /// What the decoder keeps while it decodes this picture, last coded first.
    let kept: [Reference]
    /// Pictures that it is predicted from, nearest first: shown earlier in list 0; later, or the same, in list 1.
    let list0: [Reference]
    let list1: [Reference]
    /// What its slices start from, in the codec's scale.
    var quantizer = 26

    var id: Int { picture.id }
    var kind: GOPPlanner.Kind { picture.kind }
    var displayIndex: Int { picture.displayIndex }
    var isReference: Bool { picture.isReference }

    /// Whether it is predicted from a picture, or only later ones are.
    func uses(_ reference: Reference) -> Bool {
        list0.contains { $0.slot == reference.slot } || list1.contains { $0.slot == reference.slot }
    }
}
