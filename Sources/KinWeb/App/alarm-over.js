// SPDX-License-Identifier: Apache-2.0
// That an alarm is over, for those who looked at it: it stands where the alarm stood until it is dismissed.

import { h } from "./dom.js"
import { changed } from "./state.js"
import { sentence } from "./voice.js"
import { near, t } from "./words.js"

/** Says below the alarms that one was ended: by whom, and when. */
export function over(alarms, { at, by, data }) {
  const card = h("div", { class: "card over", role: "status" },
    sentence({ kind: "alarmOver", by, of: data.raiser, alarm: data.kind }), ` · ${near(at)} `,
    h("button", { type: "button", class: "quiet small", "aria-label": t("inbox.dismiss"), onclick: () => { card.remove(); changed() } }, "✓"))
  alarms.append(card)
  changed()
}
