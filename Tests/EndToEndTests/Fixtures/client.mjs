// Follows a family: node client.mjs URL USERNAME FILE, with the password on standard input. FILE keeps how far it got.
import { readFileSync, renameSync, writeFileSync } from "node:fs"

const [url, username, file] = process.argv.slice(2)
const password = await new Promise(done => process.stdin.once("data", text => done(`${text}`.trim())))
let kept = {}, longest = 1
try { kept = JSON.parse(readFileSync(file, "utf8")) } catch {}

function keep(changes) {
  kept = { ...kept, ...changes }
  writeFileSync(file + ".new", JSON.stringify(kept), { mode: 0o600 })
  renameSync(file + ".new", file)
}

// The seconds that a refusal names; a refusal that will not change ends the program.
async function refused(answer) {
  if ([429, 503].includes(answer.status)) return Number(answer.headers.get("Retry-After") ?? 5)
  console.error((await answer.json()).detail)
  process.exit(1)
}

async function signIn(signal) {
  const body = JSON.stringify({ username, password, device: "client.mjs" })
  const headers = { "Content-Type": "application/json" }
  const answer = await fetch(url + "/api/session", { method: "POST", headers, body, signal })
  if (!answer.ok) return refused(answer)
  keep({ token: (await answer.json()).token })
  return 0
}

async function follow(signal, heard) {
  const query = new URLSearchParams(kept.cursor ? { since: kept.cursor, view: kept.view } : {})
  const headers = { Accept: "application/x-ndjson", Authorization: `Bearer ${kept.token}` }
  const answer = await fetch(`${url}/live?${query}`, { headers, signal })
  if ([204, 401].includes(answer.status)) return keep({ token: null })
  if (!answer.ok) return refused(answer)
  let text = "", decoder = new TextDecoder()
  for await (const bytes of answer.body) {
    heard()
    const lines = (text + decoder.decode(bytes, { stream: true })).split("\n")
    text = lines.pop()
    for (const line of lines) {
      console.log(line)
      const { method, params } = JSON.parse(line)
      if (method !== "closing") keep({ cursor: params.cursor, view: params.view ?? kept.view })
      else if (params.code === 1001 || params.code >= 4100) return keep({ token: null })
      else return params.retryAfter
      longest = 1
    }
  }
}

for (let seconds; ; await new Promise(done => setTimeout(done, seconds * 1000))) {
  const silence = new AbortController(), alarm = setTimeout(() => silence.abort(), 45_000)
  const { signal } = silence, heard = () => alarm.refresh()
  try { seconds = await (kept.token ? follow(signal, heard) : signIn(signal)) }
  catch (problem) { console.error(`${url}: ${problem.message}`); seconds = null }
  clearTimeout(alarm)
  if (seconds == null) [seconds, longest] = [Math.random() * longest, Math.min(longest * 2, 60)]
}
