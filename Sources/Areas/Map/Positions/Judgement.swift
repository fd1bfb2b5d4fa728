/// The decision about a point, made when the point arrives and stored with it: who could see it at its own time, and
/// who when it arrived. A viewer later gets no more than either of these and the viewer's present rights allow.
struct Judgement: Equatable {
    /// Whether it moves what others see now.
    let isShown: Bool
    /// The version at its own time; `nil` when nobody but the owner is ever to see it in the history.
    let version: Int64?
    /// The version when it arrived, where that is another.
    let taken: Int64?

    /// For the owner alone.
    static let hidden = Judgement(isShown: false, version: nil, taken: nil)
}
