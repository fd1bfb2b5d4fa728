// SPDX-License-Identifier: Apache-2.0
// Files on their way to the daemon: pictures, films with their posters, documents. It is loaded when somebody sends one.

import { asked } from "./base.js"
import { h } from "./dom.js"
import { isFilm, pixels, query } from "./pictures.js"
import { refusal, t } from "./words.js"

/** Bytes that go at a time: what is cut off is sent again, and no more. */
const pieceBytes = 1 << 20
const patience = 20
/** Tries after which the daemon is believed that it cannot, where it does not say when it can. */
const fewTries = 3

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** What the daemon says of a request; null while it is not reached. */
async function reached(method, address, headers, body) {
  try {
    return await fetch(address, { method, headers, body, credentials: "same-origin" })
  } catch { return null }
}

/** Whether the daemon itself says that it cannot, and not only for now. */
const isUnable = answer => answer?.status === 503 && !answer.headers.has("Retry-After")
  && !!answer.headers.get("Content-Type")?.startsWith("application/problem+json")

/** Files of which some is there, and where; who tries again later goes on with them. */
const underWay = new WeakMap()

/**
 * Sends a file to an address, and goes on where it was cut off, however often (draft-ietf-httpbis-resumable-upload). Answers
 * the picture, or throws a sentence.
 */
async function send(method, to, file, progress) {
  if (!file.size) throw t("gallery.empty")
  const before = underWay.get(file)
  let address = before?.to === to ? before.address : null, offset = 0, tries = 0, isUnsure = !!address
  for (;;) {
    if (tries > patience) throw t("act.not-reached")
    if (tries) await wait(Math.min(500 * 2 ** tries, 15_000))
    if (!address) {
      const begun = await reached(method, to, {
        "Content-Type": "application/octet-stream", "Upload-Complete": "?0", "Upload-Length": String(file.size) })
      if (isUnable(begun) && tries >= fewTries) throw await sentence(begun)
      if (!begun || begun.status >= 500 || begun.status === 429) { tries++; continue }
      if (!begun.ok) throw await sentence(begun)
      address = begun.headers.get("Location")
      underWay.set(file, { to, address })
      offset = 0
    } else if (tries || isUnsure) {
      const there = await reached("HEAD", address, {})
      if (!there || there.status >= 500) { tries++; continue }
      isUnsure = false
      if (there.status === 404) { address = null; tries++; continue }
      offset = Number(there.headers.get("Upload-Offset") ?? 0)
    }
    const end = Math.min(offset + pieceBytes, file.size), isLast = end === file.size
    const answer = await reached("PATCH", address, {
      "Content-Type": "application/partial-upload", "Upload-Offset": String(offset), "Upload-Complete": isLast ? "?1" : "?0",
    }, file.slice(offset, end))
    if (isUnable(answer) && tries >= fewTries) throw await sentence(answer)
    if (!answer || answer.status >= 500 || answer.status === 429 || answer.status === 409) { tries++; continue }
    // What was refused is begun anew.
    if (!answer.ok || isLast) underWay.delete(file)
    if (!answer.ok) throw await sentence(answer)
    tries = 0
    offset = end
    progress(offset / file.size)
    if (isLast) return (await answer.json()).picture
  }
}

async function sentence(answer) {
  try { return refusal((await answer.json()).detail ?? t("act.failed")) } catch { return t("act.failed") }
}

/** A picture, with what goes with it. */
const sendPicture = (file, progress, said) => send("POST", `/api/pictures${query(said)}`, file, progress)

/** The longer side of a poster, in pixels; how long a browser may take for it. */
const posterSide = 1280, posterMs = 10_000

/** A picture of a film's first second. Where this browser cannot open the film: a plain one. */
async function posterOf(file) {
  const video = h("video", { muted: true, playsinline: true, preload: "auto" }), canvas = h("canvas", { width: 640, height: 360 }), pen = canvas.getContext("2d")
  const until = name => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true })
    video.addEventListener("error", reject, { once: true })
    setTimeout(reject, posterMs)
  })
  const address = URL.createObjectURL(file)
  try {
    const isThere = until("loadeddata")
    video.src = address
    await isThere
    const isAt = until("seeked")
    video.currentTime = Math.min(1, (video.duration || 0) / 3)
    await isAt
    const scale = Math.min(1, posterSide / Math.max(video.videoWidth, video.videoHeight))
    Object.assign(canvas, { width: Math.round(video.videoWidth * scale), height: Math.round(video.videoHeight * scale) })
    pen.drawImage(video, 0, 0, canvas.width, canvas.height)
  } catch {
    pen.fillStyle = "#444"
    pen.fillRect(0, 0, canvas.width, canvas.height)
  } finally {
    video.removeAttribute("src")
    URL.revokeObjectURL(address)
  }
  return new Promise(resolve => canvas.toBlob(resolve, "image/jpeg", 0.85))
}

/**
 * A film: first its poster, which nobody else sees until the film is there, too. It is a picture of its own, whatever the
 * gallery has (all plain ones are the same): where the film is refused, nothing goes that was there before.
 */
async function sendFilm(file, progress, { audience, album, ...said }) {
  const { id } = await sendPicture(await posterOf(file), () => {}, { for: "post", ...said })
  try {
    const picture = await send("PUT", pixels(id, "film"), file, progress)
    // With an audience it is of the gallery from here on.
    return said.for ? picture : (await asked("picture.update", { picture: id, audience: audience ?? [], ...(album ? { album } : {}) })).picture
  } catch (error) {
    await asked("picture.remove", { picture: id, atOnce: true }).catch(() => {})
    throw error
  }
}

/** A document goes as it is, under its name. */
const sendDocument = (file, progress, { original, ...said }) =>
  send("POST", `/api/documents${query({ ...said, name: file.name.replace(/\p{Cc}/gu, " ") })}`, file, progress)

/** Sends a file as what it is, or as a document; answers its picture, or throws a sentence. */
export const sendFile = (file, isDocument, progress, said) => (isDocument ? sendDocument : isFilm(file) ? sendFilm : sendPicture)(file, progress, said)
