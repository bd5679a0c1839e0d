// recollect's plugin for OpenCode. "recollect connect opencode" writes it, "recollect disconnect opencode" removes it.
//
// It shows recollect's hook each prompt, adds to the prompt what the hook answers, and after each turn leaves the
// session where the hook reads it. Whatever goes wrong, OpenCode goes on as if the plugin were not there.
import { spawn } from "node:child_process"
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"

const hook = "recollect-hook"
const patience = 2000 // milliseconds that the hook may take
const kept = 24 * 60 * 60 * 1000 // milliseconds that a copy of a session stays

// copies is where the sessions are left, beside OpenCode's own database.
const copies = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode", "recollect")

// ask shows the hook an event, and returns what it wants to add.
function ask(event) {
  return new Promise((answer) => {
    let out = ""
    const child = spawn(hook, ["--agent", "opencode"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const done = (text) => {
      clearTimeout(limit)
      answer(text)
    }
    const limit = setTimeout(() => {
      child.kill("SIGKILL")
      done("") // what it started may keep its output open
    }, patience)
    child.on("error", () => done(""))
    child.on("close", () => {
      try {
        done(JSON.parse(out).hookSpecificOutput.additionalContext || "")
      } catch {
        done("") // it had nothing to say
      }
    })
    child.stdout.on("data", (data) => (out += data))
    child.stdin.on("error", () => {}) // it need not read all
    child.stdin.end(JSON.stringify(event))
  })
}

// line returns what is of interest of a message: what was said and done, without attachments.
function line({ info, parts }) {
  const { id, role, time, summary, error, path } = info
  const said = parts
    .filter((part) => ["text", "reasoning", "tool"].includes(part.type))
    .map(({ type, text, synthetic, ignored, tool, callID, state }) => {
      if (type !== "tool") return { type, text, synthetic, ignored }
      const { status, input, output, error, metadata } = state
      return { type, tool, callID, state: { status, input, output, error, metadata: { exit: metadata?.exit } } }
    })
  return { info: { id, role, time, summary: summary === true, error, path }, parts: said }
}

// leave writes a session into a file, and returns its path.
async function leave(session, messages) {
  const { id, directory, time, version } = session
  const lines = [{ info: { id, directory, time: { created: time.created }, version } }, ...messages.map(line)]
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const path = join(copies, id + ".jsonl")
  await writeFile(path + ".new", lines.map((l) => JSON.stringify(l) + "\n").join(""), { mode: 0o600 })
  await rename(path + ".new", path)
  return path
}

// tidy removes the copies of sessions that are over.
async function tidy() {
  for (const name of await readdir(copies)) {
    const path = join(copies, name)
    if (Date.now() - (await stat(path)).mtimeMs > kept) await rm(path, { force: true })
  }
}

export const Recollect = async ({ client, directory }) => {
  if (process.env.RECOLLECT_DISABLE) return {}
  await tidy().catch(() => {}) // there may be none yet

  const sessions = new Map() // by id, what is known of them
  const compacted = new Set() // ids of those whose old messages the model no longer sees
  let last = Promise.resolve() // what still runs

  const messagesOf = async (id) => (await client.session.messages({ path: { id } })).data ?? []

  // known returns a session, and how it began for this process. A sub-agent's is not asked about: it has a parent.
  const known = async (id) => {
    if (!sessions.has(id)) {
      const session = (await client.session.get({ path: { id } })).data
      sessions.set(id, { session, source: (await messagesOf(id)).length > 0 ? "resume" : "startup" })
    }
    const found = sessions.get(id)
    return found.session?.parentID ? undefined : found
  }

  const event = (name, id, session, fields) => ({ hook_event_name: name, session_id: id, cwd: session?.directory ?? directory, ...fields })

  const learn = async (id) => {
    const found = await known(id)
    if (!found?.session || process.env.RECOLLECT_INCOGNITO) return
    const path = await leave(found.session, await messagesOf(id))
    await ask(event("Stop", id, found.session, { transcript_path: path }))
  }

  const inject = async (id, message, parts) => {
    const found = await known(id)
    if (!found) return
    const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
    const texts = []
    if (compacted.delete(id)) found.source = "compact"
    if (found.source) texts.push(await ask(event("SessionStart", id, found.session, { source: found.source })))
    found.source = ""
    if (prompt) texts.push(await ask(event("UserPromptSubmit", id, found.session, { prompt })))
    const after = parts.at(-1)?.id ?? message.id.replace("msg_", "prt_") // parts are in the order of their ids
    texts.filter(Boolean).forEach((text, n) => {
      parts.push({ id: after + "r" + n, sessionID: id, messageID: message.id, type: "text", synthetic: true, text })
    })
  }

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      await inject(sessionID, message, parts).catch(() => {})
    },
    event: async ({ event: { type, properties } }) => {
      if (type === "session.compacted") compacted.add(properties.sessionID)
      if (type === "session.deleted") await rm(join(copies, properties.info.id + ".jsonl"), { force: true }).catch(() => {})
      if (type === "session.idle") {
        last = last.then(() => learn(properties.sessionID)).catch(() => {})
        await last
      }
    },
    dispose: () => last,
  }
}
