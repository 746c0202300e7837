/** Commands that people copy, run by real shells: their texts come from buyers, owners and configurations. */
import { execFileSync } from "node:child_process"
import { Redacted } from "effect"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { welcome } from "../../cli/Demo.ts"
import { curlOf, curlWith } from "./Curl.ts"
import { ApiCommand } from "./catalog/ApiCommand.tsx"
import { firstRequest } from "./FirstRun.tsx"

const texts = [
  "it's",
  "'; touch /tmp/owned; '",
  "`touch /tmp/owned`",
  "$(touch /tmp/owned) $" + "{HOME} $HOME $$",
  "one\ntwo\r\nthree\ttabs",
  "\\ \\\\ \\n \\' '\\'' \\",
  "a\\",
  "'",
  "''",
  '"double"; "',
  "-rf --data @/etc/passwd",
  "!! !touch !$ it's!here '!' \"!\"",
  "* ? [a-z] {1..3} {a,b} ~ ~root",
  "# no comment & | ; < > ( ) && ||",
  "Füße ‮אב 😀 \u00a0\u2028\u200b",
  " leading and trailing ",
  "%s %n \\x41 \\0101",
]

/** Shells that read a script, and one that edits lines: it expands `!`, and takes tabs and returns for keys. */
const shells = [
  ["sh", ["-s"]],
  ["bash", ["-s"]],
  ["bash", ["--norc", "--noprofile", "-i"]],
] as const

const typed = texts.filter((text) => !/[\t\r]/.test(text))

/** The arguments that a shell gives to curl. Words are separated by NUL, which no argument can have. */
const argumentsOf = ([shell, options]: readonly [string, ReadonlyArray<string>], command: string) => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\nexit\n`
  const env = { PATH: process.env["PATH"], HOME: "/nowhere", HISTFILE: "/dev/null", PS1: "", LC_ALL: "C.UTF-8" }
  const output = execFileSync(shell, options, {
    input: script,
    encoding: "utf8",
    env,
    stdio: ["pipe", "pipe", "ignore"],
  })
  return output.split("\0").slice(0, -1)
}

/** The command that a part of a page shows. */
const shown = (html: string): string =>
  (/<code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

describe.each(shells)("A command that is copied into %s %j", (...shell) => {
  const given = shell[1].some((option) => option === "-i") ? typed : texts

  it.each(given)("MUST give curl the request as it was sent: %j", (text) => {
    const body = JSON.stringify({ text })
    const headers = { "X-Gateway": text, "content-type": "application/json" }
    const url = `https://erp.example.com/${text}`
    const glob = /[[\]{}]/.test(url) ? ["--globoff"] : []
    expect(argumentsOf(shell, curlOf({ url, headers, body, file: "dlv_1.json" }))).toEqual([
      ...["-X", "POST", ...glob, url],
      ...["-H", `X-Gateway: ${text}`, "-H", "content-type: application/json", "--data-binary", body],
    ])
    expect(argumentsOf(shell, curlOf({ url, headers: {}, body: text, file: "f" })).at(-1)).toBe(text)
    const long = "x".repeat(2 * 1024 + 1)
    expect(argumentsOf(shell, curlOf({ url, headers: {}, body: long, file: text })).at(-1)).toBe(`@${text}`)
  })

  it.each(given)("MUST give curl the address and the token of a request to the API: %j", (text) => {
    const authorization = ["-H", `Authorization: Bearer ${text}`]
    const url = `https://api.example.com/${text}`
    const glob = /[[\]{}]/.test(url) ? ["--globoff"] : []
    expect(argumentsOf(shell, curlWith(text, url))).toEqual([...authorization, ...glob, url])
    expect(argumentsOf(shell, firstRequest(text, url))).toEqual([...authorization, ...glob, `${url}/orders?limit=2`])
    const page = renderToString(h(ApiCommand, { url, path: `/orders/${encodeURIComponent(text)}` }))
    expect(argumentsOf(shell, shown(page)).at(-1)).toBe(`${url}/orders/${encodeURIComponent(text)}`)
    const secrets = { token: Redacted.make(text), manageKey: Redacted.make("key") }
    const [, command = ""] =
      /Try:\n\n([\s\S]*?)\n\n {2}Settings/.exec(welcome({ address: url, docs: "", signIn: "", ...secrets })) ?? []
    expect(argumentsOf(shell, command)).toEqual([...authorization, ...glob, `${url}/api/v1/orders?limit=2`])
  })
})
