extension WebApp {
    /// Every file of the folder `App` with a name of its own below `/app`. A test holds list and folder together.
    static let embedded: [String: WebFile] = {
        let contents: KeyValuePairs<String, [UInt8]> = [
            "app.css": PackageResources.app_css,
            "base.js": PackageResources.base_js,
            "basemap.js": PackageResources.basemap_js,
            "browser.js": PackageResources.browser_js,
            "days.js": PackageResources.days_js,
            "dom.js": PackageResources.dom_js,
            "family.js": PackageResources.family_js,
            "fold.js": PackageResources.fold_js,
            "home.js": PackageResources.home_js,
            "icon-192.png": PackageResources.icon_192_png,
            "icon-512.png": PackageResources.icon_512_png,
            "icon.svg": PackageResources.icon_svg,
            "inbox.js": PackageResources.inbox_js,
            "line.js": PackageResources.line_js,
            "lists.js": PackageResources.lists_js, "posts.js": PackageResources.posts_js,
            "alarms.js": PackageResources.alarms_js, "chat.js": PackageResources.chat_js,
            "main.js": PackageResources.main_js,
            "map.js": PackageResources.map_js,
            "meetings.js": PackageResources.meetings_js,
            "pictures.js": PackageResources.pictures_js,
            "propose.js": PackageResources.propose_js,
            "report.js": PackageResources.report_js,
            "ringing.js": PackageResources.ringing_js, "rules.js": PackageResources.rules_js,
            "said.js": PackageResources.said_js,
            "shortcuts.js": PackageResources.shortcuts_js,
            "state.js": PackageResources.state_js,
            "stays.js": PackageResources.stays_js,
            "store.js": PackageResources.store_js,
            "tabs.js": PackageResources.tabs_js,
            "tile.js": PackageResources.tile_js,
            "voice.js": PackageResources.voice_js,
            "words.js": PackageResources.words_js,
        ]
        return Dictionary(uniqueKeysWithValues: contents.map { ($0.key, WebFile($0.key, $0.value)) })
    }()
}
