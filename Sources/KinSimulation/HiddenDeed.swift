import KinModel

/// An act of an area that others may not know of: neither that it was done, nor what it was. Tests do it in one of two
/// equal worlds; a member who may not know gets the same bytes in both.
struct HiddenDeed: Sendable {
    /// What is hidden, in words.
    let name: String
    /// Whom it is hidden from.
    let from: Onlookers
    /// Does it.
    let act: @Sendable (any HiddenStage) throws -> Void

    /// Who may not know.
    enum Onlookers { case everybody, guests }

    init(_ name: String, from: Onlookers, _ act: @escaping @Sendable (any HiddenStage) throws -> Void) {
        self.name = name
        self.from = from
        self.act = act
    }
}

/// The family in which it is done. In the household Hill, who look on: Ada the admin, Hal the head, Ben the member, Gil the
/// guest; and Gus the guest in Mill, where Mia the head, Mo and Nan the members act.
protocol HiddenStage: AnyObject {
    /// For what is said; every world of a seed rolls the same.
    var dice: Dice { get set }
    /// Somebody does something.
    @discardableResult func does(_ who: String, _ method: String, _ params: JSON) throws -> JSON
    /// From one to so many words.
    func words(_ max: Int) -> String
    /// A member by name.
    func id(_ name: String) throws -> Identifier
    /// Remembers the identifier of something that is hidden, in `{"contact":{"id":…}}`; onlookers will ask for it.
    @discardableResult func hide(_ result: JSON, _ name: String) throws -> Identifier
}
