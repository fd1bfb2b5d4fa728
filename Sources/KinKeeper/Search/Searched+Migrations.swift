extension Searched {
    /// Makes numbers for the rows of a table that has none (`WITHOUT ROWID`), so that its rows can be found by their words:
    /// SQLite reports a changed row by its number, and of such a table not at all. The table of numbers is what an area
    /// declares as ``table``. Triggers give each row a number, touch the number when a named column is written, and remove
    /// it with the row, so that the area has nothing to remember.
    ///
    /// - Parameters:
    ///   - numbers: The table that is made: `number`, and the `id` of the row.
    ///   - table: The table whose rows get numbers; its key is `id`.
    ///   - columns: The columns from which its words, its time and its author are read.
    package static func sql(numbers: String, of table: String, columns: [String]) -> String {
        """
        CREATE TABLE \(numbers) (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE) STRICT;
        INSERT INTO \(numbers) (id) SELECT id FROM \(table) ORDER BY id;
        CREATE TRIGGER \(numbers)_added AFTER INSERT ON \(table)
        BEGIN INSERT INTO \(numbers) (id) VALUES (NEW.id); END;
        CREATE TRIGGER \(numbers)_touched AFTER UPDATE OF \(columns.joined(separator: ", ")) ON \(table)
        BEGIN UPDATE \(numbers) SET id = NEW.id WHERE id = OLD.id; END;
        CREATE TRIGGER \(numbers)_removed AFTER DELETE ON \(table)
        BEGIN DELETE FROM \(numbers) WHERE id = OLD.id; END;
        """
    }

    /// Plans the work that takes in what is there already of a kind: for the migration with which an area begins to declare
    /// it. The migration names the table `due`.
    package static func sql(takingIn kind: String) -> String {
        "INSERT INTO due (at, kind, about) VALUES (0, '\(SearchIndex.fillDue)', '\(SearchIndex.alone)/\(kind)/0');"
    }
}
