import KinKeeper

extension Posts {
    /// Posts and comments are found by their words, posts by the captions of their pictures too; who sees a post sees its
    /// comments.
    static let searched = [
        Searched(
            "post", table: "posts",
            row: """
                SELECT p.id, p.at, p.author, NULL, NULL,
                trim(coalesce(p.text || char(10), '') || coalesce(p.link || char(10), '') || coalesce(
                    (SELECT group_concat(o.caption, char(10)) FROM (
                        SELECT caption FROM post_pictures WHERE post = p.number ORDER BY place) o), ''), char(10))
                FROM posts p WHERE p.number = ?1
                """,
            sight: """
                SELECT s.post FROM json_each(?1) j CROSS JOIN post_sight s ON s.member = ?2 AND s.post = j.value
                JOIN posts p ON p.number = s.post WHERE \(isThere)
                """),
        Searched(
            "comment", table: "comments", within: "post",
            row: """
                SELECT c.id, c.at, c.author, p.id, NULL, c.text FROM comments c JOIN posts p ON p.number = c.owner_post
                WHERE c.number = ?1
                """,
            sight: """
                SELECT c.number FROM json_each(?1) j CROSS JOIN comments c ON c.number = j.value
                CROSS JOIN post_sight s ON s.member = ?2 AND s.post = c.owner_post
                JOIN posts p ON p.number = s.post WHERE \(isThere) AND \(isCommentThere)
                """),
    ]
}
