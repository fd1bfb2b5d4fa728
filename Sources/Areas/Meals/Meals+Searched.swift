import KinKeeper

extension Meals {
    /// Meals are found by members who see them. Dishes and the menus of canteens are found by all members except
    /// guests. The time of a meal or of a menu's line is its day.
    static let searched = [
        Searched(
            "meal", table: "meals", isDay: true,
            row: """
                SELECT m.id, unixepoch(m.day) * 1000, m.owner, NULL,
                (SELECT group_concat(c.title, ', ') FROM (
                    SELECT title FROM meal_choices WHERE meal = m.number ORDER BY number) c),
                m.note FROM meals m WHERE m.number = ?1
                """,
            sight: """
                SELECT s.meal FROM json_each(?1) j CROSS JOIN meal_sight s ON s.member = ?2 AND s.meal = j.value
                """),
        Searched(
            "dish", table: "dishes", isForGuests: false,
            row: """
                SELECT d.id, NULL, NULL, NULL, d.title,
                trim(coalesce((SELECT group_concat(i.text, ', ') FROM (
                    SELECT text FROM dish_items WHERE dish = d.number ORDER BY place) i), '')
                || char(10) || coalesce(d.text, ''), char(10)) FROM dishes d WHERE d.number = ?1
                """,
            // Dishes belong to the whole family.
            sight: """
                SELECT d.number FROM json_each(?1) j CROSS JOIN dishes d ON d.number = j.value
                CROSS JOIN members m ON m.id = ?2
                """),
        Searched(
            "menu", table: "menu_lines", isDay: true, isForGuests: false,
            row: "SELECT id, unixepoch(day) * 1000, NULL, NULL, text, source FROM menu_lines WHERE number = ?1",
            sight: """
                SELECT l.number FROM json_each(?1) j CROSS JOIN menu_lines l ON l.number = j.value
                CROSS JOIN members m ON m.id = ?2
                """),
    ]
}
