/**
 * Every page of the settings app as it is written, and what each form answers and logs. If a page changes on purpose,
 * `npx vitest run -u hosts/settings/Rendered.test.ts` writes the new texts to `rendered/`: look at the difference.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import type { Browser, Shown } from "../../conformance/testkit/browsers/Browser.ts"
import { recorderOf, visitedSite, visits } from "../../conformance/testkit/browsers/SettingsVisits.ts"

/** Random values: ids, tokens, secrets, keys of forms, signatures, sessions. */
const drawn = new RegExp(
  [
    /(?:\b|(?<=%3A))(?:cmz|whe|dlv|evt|tok|aud|inb)_\w{6,}/,
    /cmz_…\w{4}/,
    /\b(?:whsec_|v1,)[\w+/=]{6,}/,
    /\b[0-9a-f]{64}\b/,
    /session [\w-]{6}/,
    /\br1\.[\w-]{6,}/,
    /"form" value="[^"]*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
)

/** The text without what is drawn at random or changes with a file, one element a line, long ones cut. */
const readable = (text: string): string => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return text
    .replaceAll(drawn, (found) => {
      const kind = /^(?:[a-z]+_…?|r1\.|session |"form" value="|v1,)/.exec(found)?.[0] ?? "hash "
      const known = names.get(found)
      if (known !== undefined) return known
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      names.set(found, kind + count)
      return kind + count
    })
    .replaceAll(/\.(css|js|svg)\?[\w=-]+/g, ".$1")
    .replaceAll("><", ">\n<")
    .replaceAll(/^.{401,}$/gm, (line) => `${line.slice(0, 400)} …`)
}

/** A browser that writes down each page that it is shown, with its path, its status and the changes logged. */
const recorder = Effect.fnUntraced(function* (browser: Browser, logged: Array<string>) {
  const pages: Array<string> = []
  const shown = (name: string, page: Shown): Shown => {
    // What surrounds each page is written down once.
    const part = pages.length === 0 ? "body" : "main"
    const body = new RegExp(`<${part}[^>]*>([\\s\\S]*)</${part}>`).exec(page.text)?.[1] ?? page.text
    const title = /<title>([^<]*)/.exec(page.text)?.[1] ?? ""
    const lines = [
      `# ${name}: ${page.status} ${page.path}`,
      title,
      ...logged.splice(0).map((line) => `> ${line}`),
      body,
    ]
    pages.push(lines.join("\n"))
    return page
  }
  return { ...recorderOf(browser, shown), text: Effect.sync(() => readable(pages.join("\n\n"))) }
})

/** The changes of stores that are logged. */
const changes = (logged: Array<string>) =>
  Logger.layer([
    Logger.make(({ message }) => {
      const text = String(Array.isArray(message) ? message[0] : message)
      if (text.startsWith("Settings of the shop")) logged.push(text)
    }),
  ])

describe("The settings app", () => {
  for (const [name, visit] of Object.entries(visits)) {
    it.live(`MUST write its pages as recorded: ${name}`, () => {
      const logged: Array<string> = []
      return Effect.gen(function* () {
        const world = yield* visitedSite()
        const record = yield* recorder(world.browser, logged)
        yield* visit(record, world)
        const text = yield* record.text
        yield* Effect.promise(() => expect(text).toMatchFileSnapshot(`rendered/${name}.txt`))
      }).pipe(Effect.provide(changes(logged)))
    })
  }
})
