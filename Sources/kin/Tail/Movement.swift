import KinModel

/// What an event says about a member on the way. `kin tail` decides by it which lines stay on a terminal, and which are
/// written anew.
struct Movement: Equatable {
    enum Step: Equatable {
        /// On the way: the member's line is written anew.
        case onTheWay
        /// Somewhere, and staying: a line of its own, once for each stop, which the text names.
        case stopped(String)
        /// Arrived, left, or out of sight: always a line of its own.
        case passed
    }

    let member: Identifier
    let step: Step
}
