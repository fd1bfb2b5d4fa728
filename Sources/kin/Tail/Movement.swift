import KinModel

/// The movement of a member that an event reports. By it `kin tail` decides which lines stay on a terminal, and which
/// are written anew.
struct Movement: Equatable {
    enum Step: Equatable {
        /// The member is on the way: the member's line is written anew.
        case onTheWay
        /// The member has stopped, at the stop that the text names: each stop has one line, which stays.
        case stopped(String)
        /// The member has arrived, left, or gone out of sight: this always has a line that stays.
        case passed
    }

    let member: Identifier
    let step: Step
}
