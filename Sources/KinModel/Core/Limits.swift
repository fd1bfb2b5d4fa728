/// Every limit of what the family may hold and ask, with its unit: here those that values on the wire state, the
/// mechanism's beside the keeper, each area's in its folder. Those of sockets and transports stand beside the server.
/// Hitting one is an answer (1413, 1422, 1429), never growth.
public enum Limits {
    /// Members of a family, guests included. Long names reach ``membersSnapshotBytesMax`` before.
    public static let membersMax = 400
    /// Characters of a name people read.
    public static let nameCharactersMax = 64
    /// Parents of one member, and partners of one member.
    public static let relationsPerMemberMax = 8
}
