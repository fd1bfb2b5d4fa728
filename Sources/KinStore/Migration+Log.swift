extension Migration {
    /// The log's rows in today's words, for an area whose events, or a field of theirs, are called otherwise from now on.
    /// Whoever comes back with an older cursor understands what is told.
    ///
    /// - Parameters:
    ///   - former: a type of events, as it was called; `nil` where their fields alone are.
    ///   - type: the type of events; with `*` at its end, all that begin so.
    ///   - field: a field with a text, anywhere in the events' data, as it was called and as it is now.
    ///   - key: a part of the keys by which newer events supersede older ones, as it was and as it is now.
    public static func retelling(
        number: Int, name: String, former: String? = nil, type: String, field: (former: String, now: String)? = nil,
        key: (former: String, now: String)? = nil
    ) -> Migration {
        var sql = "UPDATE log_state SET bytes = bytes - (SELECT coalesce(sum(length(payload)), 0) FROM log);"
        func replace(_ old: String, _ new: String, whereType pattern: String, _ more: String = "") {
            sql += """
                UPDATE log SET payload = CAST(replace(CAST(payload AS TEXT), '\(old)', '\(new)') AS BLOB)\(more)
                WHERE type GLOB '\(pattern)' AND instr(CAST(payload AS TEXT), '\(old)') > 0;
                """
        }
        if let former {
            replace("\"type\":\"\(former)\"", "\"type\":\"\(type)\"", whereType: former, ", type = '\(type)'")
        }
        // What somebody wrote is no name of a field: its quotation marks are escaped.
        if let field { replace("\"\(field.former)\":\"", "\"\(field.now)\":\"", whereType: type) }
        if let key {
            sql += """
                UPDATE log SET key = replace(key, '\(key.former)', '\(key.now)')
                WHERE type GLOB '\(type)' AND key IS NOT NULL;
                """
        }
        sql += "UPDATE log_state SET bytes = bytes + (SELECT coalesce(sum(length(payload)), 0) FROM log);"
        let part = Part(tables: ["log", "log_state"], reading: [], sql: sql, step: nil, isRetelling: true)
        precondition(!name.isEmpty, "a migration has a name")
        return Migration(number: number, name: name, parts: [part])
    }
}
