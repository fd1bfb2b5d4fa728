// Follows a family: node client.mjs URL USERNAME FILE, with the password on standard input. FILE keeps the cursor.
import { readFileSync, renameSync, writeFileSync } from "node:fs"

const [url, username, file] = process.argv.slice(2)
const password = await new Promise(done => process.stdin.once("data", text => done(`${text}`.trim())))
const wait = seconds => new Promise(done => setTimeout(done, seconds * 1000))
let kept = {}
try { kept = JSON.parse(readFileSync(file, "utf8")) } catch {}

function keep(changes) {
  kept = { ...kept, ...changes }
  writeFileSync(file + ".new", JSON.stringify(kept), { mode: 0o600 })
  renameSync(file + ".new", file)
}

async function signIn() {
  const answer = await fetch(url + "/api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password, device: "client.mjs" }),
  })
  const body = await answer.json()
  if (answer.ok) return keep({ token: body.token })
  console.error(body.detail)
  if (answer.status === 401) process.exit(1)
  await wait(body.retryAfter ?? 5)
}

async function follow() {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${kept.token}` }
  if (kept.cursor) headers["Last-Event-ID"] = kept.cursor
  const answer = await fetch(url + "/live", { headers })
  // The session is over: 204 for one who comes back, 401 else.
  if (answer.status === 204 || answer.status === 401) return keep({ token: null })
  if (!answer.ok) return wait(5)
  let text = ""
  const decoder = new TextDecoder()
  for await (const bytes of answer.body) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop()
    for (const block of blocks) {
      let id, data = ""
      for (const line of block.split("\n")) {
        if (line.startsWith("id: ")) id = line.slice(4)
        if (line.startsWith("data: ")) data += line.slice(6)
      }
      if (data) console.log(data)
      if (id) keep({ cursor: id })
    }
  }
}

for (let pause = 0.1; ; pause = Math.min(pause * 2, 30)) {
  try {
    await (kept.token ? follow() : signIn())
    pause = 0.1
  } catch { console.error(`${url} is away; trying again.`) }
  await wait(pause * (0.5 + Math.random()))
}
