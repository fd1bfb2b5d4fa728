// The files of the page, byte by byte, as they lie in `Sources/KinWeb/App`. Here the compiler reads them at once; as an array
// of Swift they would take it minutes. A file that is new there gets three lines and its row here.

#include "CPage.h"

// `#embed` is of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t about_js[] = {
#embed "../../KinWeb/App/about.js"
};
static const uint8_t alarm_over_js[] = {
#embed "../../KinWeb/App/alarm-over.js"
};
static const uint8_t alarms_js[] = {
#embed "../../KinWeb/App/alarms.js"
};
static const uint8_t app_css[] = {
#embed "../../KinWeb/App/app.css"
};
static const uint8_t base_js[] = {
#embed "../../KinWeb/App/base.js"
};
static const uint8_t basemap_js[] = {
#embed "../../KinWeb/App/basemap.js"
};
static const uint8_t browser_js[] = {
#embed "../../KinWeb/App/browser.js"
};
static const uint8_t calendar_days_js[] = {
#embed "../../KinWeb/App/calendar-days.js"
};
static const uint8_t calendar_drag_js[] = {
#embed "../../KinWeb/App/calendar-drag.js"
};
static const uint8_t calendar_entry_js[] = {
#embed "../../KinWeb/App/calendar-entry.js"
};
static const uint8_t calendar_files_js[] = {
#embed "../../KinWeb/App/calendar-files.js"
};
static const uint8_t calendar_form_js[] = {
#embed "../../KinWeb/App/calendar-form.js"
};
static const uint8_t calendar_outside_js[] = {
#embed "../../KinWeb/App/calendar-outside.js"
};
static const uint8_t calendar_rule_form_js[] = {
#embed "../../KinWeb/App/calendar-rule-form.js"
};
static const uint8_t calendar_rule_js[] = {
#embed "../../KinWeb/App/calendar-rule.js"
};
static const uint8_t calendar_settings_js[] = {
#embed "../../KinWeb/App/calendar-settings.js"
};
static const uint8_t calendar_views_js[] = {
#embed "../../KinWeb/App/calendar-views.js"
};
static const uint8_t calendar_js[] = {
#embed "../../KinWeb/App/calendar.js"
};
static const uint8_t chat_rooms_js[] = {
#embed "../../KinWeb/App/chat-rooms.js"
};
static const uint8_t chat_things_js[] = {
#embed "../../KinWeb/App/chat-things.js"
};
static const uint8_t chat_js[] = {
#embed "../../KinWeb/App/chat.js"
};
static const uint8_t collage_js[] = {
#embed "../../KinWeb/App/collage.js"
};
static const uint8_t contacts_js[] = {
#embed "../../KinWeb/App/contacts.js"
};
static const uint8_t days_js[] = {
#embed "../../KinWeb/App/days.js"
};
static const uint8_t dish_forms_js[] = {
#embed "../../KinWeb/App/dish-forms.js"
};
static const uint8_t dishes_js[] = {
#embed "../../KinWeb/App/dishes.js"
};
static const uint8_t dom_js[] = {
#embed "../../KinWeb/App/dom.js"
};
static const uint8_t drafts_js[] = {
#embed "../../KinWeb/App/drafts.js"
};
static const uint8_t early_js[] = {
#embed "../../KinWeb/App/early.js"
};
static const uint8_t endless_js[] = {
#embed "../../KinWeb/App/endless.js"
};
static const uint8_t family_js[] = {
#embed "../../KinWeb/App/family.js"
};
static const uint8_t fold_js[] = {
#embed "../../KinWeb/App/fold.js"
};
static const uint8_t home_js[] = {
#embed "../../KinWeb/App/home.js"
};
static const uint8_t icon_192_png[] = {
#embed "../../KinWeb/App/icon-192.png"
};
static const uint8_t icon_512_png[] = {
#embed "../../KinWeb/App/icon-512.png"
};
static const uint8_t icon_svg[] = {
#embed "../../KinWeb/App/icon.svg"
};
static const uint8_t inbox_js[] = {
#embed "../../KinWeb/App/inbox.js"
};
static const uint8_t index_html[] = {
#embed "../../KinWeb/App/index.html"
};
static const uint8_t line_js[] = {
#embed "../../KinWeb/App/line.js"
};
static const uint8_t list_settings_js[] = {
#embed "../../KinWeb/App/list-settings.js"
};
static const uint8_t lists_js[] = {
#embed "../../KinWeb/App/lists.js"
};
static const uint8_t main_js[] = {
#embed "../../KinWeb/App/main.js"
};
static const uint8_t manifest_webmanifest[] = {
#embed "../../KinWeb/App/manifest.webmanifest"
};
static const uint8_t map_cards_js[] = {
#embed "../../KinWeb/App/map-cards.js"
};
static const uint8_t map_names_js[] = {
#embed "../../KinWeb/App/map-names.js"
};
static const uint8_t map_source_js[] = {
#embed "../../KinWeb/App/map-source.js"
};
static const uint8_t map_css[] = {
#embed "../../KinWeb/App/map.css"
};
static const uint8_t map_js[] = {
#embed "../../KinWeb/App/map.js"
};
static const uint8_t meals_js[] = {
#embed "../../KinWeb/App/meals.js"
};
static const uint8_t meetings_js[] = {
#embed "../../KinWeb/App/meetings.js"
};
static const uint8_t news_sources_js[] = {
#embed "../../KinWeb/App/news-sources.js"
};
static const uint8_t news_js[] = {
#embed "../../KinWeb/App/news.js"
};
static const uint8_t person_js[] = {
#embed "../../KinWeb/App/person.js"
};
static const uint8_t picture_words_js[] = {
#embed "../../KinWeb/App/picture-words.js"
};
static const uint8_t pictures_js[] = {
#embed "../../KinWeb/App/pictures.js"
};
static const uint8_t placing_js[] = {
#embed "../../KinWeb/App/placing.js"
};
static const uint8_t post_forms_js[] = {
#embed "../../KinWeb/App/post-forms.js"
};
static const uint8_t post_link_js[] = {
#embed "../../KinWeb/App/post-link.js"
};
static const uint8_t posts_js[] = {
#embed "../../KinWeb/App/posts.js"
};
static const uint8_t propose_js[] = {
#embed "../../KinWeb/App/propose.js"
};
static const uint8_t reactions_js[] = {
#embed "../../KinWeb/App/reactions.js"
};
static const uint8_t report_js[] = {
#embed "../../KinWeb/App/report.js"
};
static const uint8_t ring_form_js[] = {
#embed "../../KinWeb/App/ring-form.js"
};
static const uint8_t ringing_js[] = {
#embed "../../KinWeb/App/ringing.js"
};
static const uint8_t rules_js[] = {
#embed "../../KinWeb/App/rules.js"
};
static const uint8_t said_js[] = {
#embed "../../KinWeb/App/said.js"
};
static const uint8_t search_js[] = {
#embed "../../KinWeb/App/search.js"
};
static const uint8_t served_js[] = {
#embed "../../KinWeb/App/served.js"
};
static const uint8_t shortcuts_js[] = {
#embed "../../KinWeb/App/shortcuts.js"
};
static const uint8_t state_js[] = {
#embed "../../KinWeb/App/state.js"
};
static const uint8_t store_js[] = {
#embed "../../KinWeb/App/store.js"
};
static const uint8_t sw_js[] = {
#embed "../../KinWeb/App/sw.js"
};
static const uint8_t tile_js[] = {
#embed "../../KinWeb/App/tile.js"
};
static const uint8_t typed_js[] = {
#embed "../../KinWeb/App/typed.js"
};
static const uint8_t uploads_js[] = {
#embed "../../KinWeb/App/uploads.js"
};
static const uint8_t voice_js[] = {
#embed "../../KinWeb/App/voice.js"
};
static const uint8_t wall_css[] = {
#embed "../../KinWeb/App/wall.css"
};
static const uint8_t wall_js[] = {
#embed "../../KinWeb/App/wall.js"
};
static const uint8_t walls_js[] = {
#embed "../../KinWeb/App/walls.js"
};
static const uint8_t words_js[] = {
#embed "../../KinWeb/App/words.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct kin_page_file files[] = {
    FILE("about.js", about_js),
    FILE("alarm-over.js", alarm_over_js),
    FILE("alarms.js", alarms_js),
    FILE("app.css", app_css),
    FILE("base.js", base_js),
    FILE("basemap.js", basemap_js),
    FILE("browser.js", browser_js),
    FILE("calendar-days.js", calendar_days_js),
    FILE("calendar-drag.js", calendar_drag_js),
    FILE("calendar-entry.js", calendar_entry_js),
    FILE("calendar-files.js", calendar_files_js),
    FILE("calendar-form.js", calendar_form_js),
    FILE("calendar-outside.js", calendar_outside_js),
    FILE("calendar-rule-form.js", calendar_rule_form_js),
    FILE("calendar-rule.js", calendar_rule_js),
    FILE("calendar-settings.js", calendar_settings_js),
    FILE("calendar-views.js", calendar_views_js),
    FILE("calendar.js", calendar_js),
    FILE("chat-rooms.js", chat_rooms_js),
    FILE("chat-things.js", chat_things_js),
    FILE("chat.js", chat_js),
    FILE("collage.js", collage_js),
    FILE("contacts.js", contacts_js),
    FILE("days.js", days_js),
    FILE("dish-forms.js", dish_forms_js),
    FILE("dishes.js", dishes_js),
    FILE("dom.js", dom_js),
    FILE("drafts.js", drafts_js),
    FILE("early.js", early_js),
    FILE("endless.js", endless_js),
    FILE("family.js", family_js),
    FILE("fold.js", fold_js),
    FILE("home.js", home_js),
    FILE("icon-192.png", icon_192_png),
    FILE("icon-512.png", icon_512_png),
    FILE("icon.svg", icon_svg),
    FILE("inbox.js", inbox_js),
    FILE("index.html", index_html),
    FILE("line.js", line_js),
    FILE("list-settings.js", list_settings_js),
    FILE("lists.js", lists_js),
    FILE("main.js", main_js),
    FILE("manifest.webmanifest", manifest_webmanifest),
    FILE("map-cards.js", map_cards_js),
    FILE("map-names.js", map_names_js),
    FILE("map-source.js", map_source_js),
    FILE("map.css", map_css),
    FILE("map.js", map_js),
    FILE("meals.js", meals_js),
    FILE("meetings.js", meetings_js),
    FILE("news-sources.js", news_sources_js),
    FILE("news.js", news_js),
    FILE("person.js", person_js),
    FILE("picture-words.js", picture_words_js),
    FILE("pictures.js", pictures_js),
    FILE("placing.js", placing_js),
    FILE("post-forms.js", post_forms_js),
    FILE("post-link.js", post_link_js),
    FILE("posts.js", posts_js),
    FILE("propose.js", propose_js),
    FILE("reactions.js", reactions_js),
    FILE("report.js", report_js),
    FILE("ring-form.js", ring_form_js),
    FILE("ringing.js", ringing_js),
    FILE("rules.js", rules_js),
    FILE("said.js", said_js),
    FILE("search.js", search_js),
    FILE("served.js", served_js),
    FILE("shortcuts.js", shortcuts_js),
    FILE("state.js", state_js),
    FILE("store.js", store_js),
    FILE("sw.js", sw_js),
    FILE("tile.js", tile_js),
    FILE("typed.js", typed_js),
    FILE("uploads.js", uploads_js),
    FILE("voice.js", voice_js),
    FILE("wall.css", wall_css),
    FILE("wall.js", wall_js),
    FILE("walls.js", walls_js),
    FILE("words.js", words_js),
};

const struct kin_page_file *kin_page_files(void) { return files; }
size_t kin_page_file_count(void) { return sizeof files / sizeof files[0]; }
