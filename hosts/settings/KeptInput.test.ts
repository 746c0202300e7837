/** Input survives the end of a session, a form key that is too old, and another person's change. Time is virtual. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeAuthority } from "../../conformance/suites/sender/Certificates.ts"
import { type Browser, type Entered, type Shown, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { bodyOf, inProcess, manage, manageKey, memory, newShop } from "../../conformance/testkit/hosts/TestHost.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"

const world = Effect.gen(function* () {
  const store = yield* memory.open
  const send = yield* inProcess(store.ports)
  const shop = yield* newShop(send)
  const url = "https://93.184.216.34/hook"
  const made = yield* bodyOf(
    201,
    yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url, description: "Old" }),
  )
  const path = `/settings/${shop.id}/webhooks/${String(made["id"])}`
  return { send, store, shop, path, browser: yield* signedIn(send, shop.id) }
})

const definition = '{ "schemaVersion": 1, <script> '

/** Every form with fields, what a person types into it, and what its page then shows. Secrets are never shown. */
const forms = (
  endpoint: string,
): ReadonlyArray<readonly [path: string, entered: Entered, shown: ReadonlyArray<RegExp>]> => [
  [
    "/settings/tokens",
    { name: 'Für\'s "ERP"', expiresAt: "90", scopes: ["orders:read"] },
    [/value="Für's &quot;ERP&quot;"/, /value="90" selected/],
  ],
  [
    "/settings/webhooks/new",
    {
      ...{ url: "https://93.184.216.34/typed", description: "Typed", events: ["order.cancelled"], maxPerSecond: "7" },
      ...{ headers: "X-Key: s3cret-header", "oauth.tokenUrl": "https://93.184.216.34/token", "oauth.clientId": "me" },
      ...{ "oauth.clientSecret": "s3cret-client", clientCertificate: "s3cret-certificate" },
    },
    [
      /value="https:\/\/93\.184\.216\.34\/typed"/,
      /value="Typed"/,
      /value="order.cancelled" checked/,
      /value="7"/,
      /Secrets were not kept/,
      /value="me"/,
    ],
  ],
  [
    `${endpoint}/update`,
    { description: "Typed", headers: "X-Key: s3cret-header", "basic.password": "s3cret-header" },
    [/value="Typed"/, /Secrets were not kept/],
  ],
  [`${endpoint}/rotate`, { overlap: "604800" }, [/value="604800" selected/]],
  ["/settings/customizers/101/publish", { definition, action: "check" }, [/&lt;script>/]],
]

const expectShown = (page: Shown, shown: ReadonlyArray<RegExp>) => {
  expect([page.path, page.status]).toEqual([page.path, 403])
  expect(page.read).toContain("Nothing was changed")
  for (const each of shown) expect(page.text).toMatch(each)
  expect(page.text).not.toContain("s3cret")
}

/** Sends the form that leads back to the page of the input. */
const goBack = (browser: Pick<Browser, "submit">, page: Shown) => {
  const form = page.forms.find(({ fields }) => fields.some(([name]) => name === "kept"))
  return form === undefined ? Effect.die(new Error(`No kept form on ${page.path}`)) : browser.submit(page, form.action)
}

describe("The input of a form", () => {
  it.effect("MUST survive the end of its session and signing in, sealed and without secrets, whatever the form", () =>
    Effect.gen(function* () {
      const { path, send, shop } = yield* world
      for (const [form, entered, shown] of forms(path)) {
        const browser = yield* signedIn(send, shop.id)
        const page = yield* browser.open(form)
        yield* browser.submit(yield* browser.open("/settings/orders"), "./sign-out")
        const asked = yield* browser.submit(page, "", entered)
        expect([form, asked.status, asked.read]).toEqual([form, 403, expect.stringContaining("your input is kept")])
        for (const secret of ["s3cret", "Typed", "ERP"]) expect(asked.text).not.toContain(secret)
        const [, action = ""] = /<form method="post" action="([^"]*sign-in[^"]*)"/.exec(asked.text) ?? []
        const wrong = yield* browser.submit(asked, action.replaceAll("&amp;", "&"), { key: "wrong" })
        expect([wrong.status, wrong.read]).toEqual([403, expect.stringContaining("your input is kept")])
        const back = yield* browser.submit(wrong, "", { key: manageKey })
        expect([back.status, back.read]).toEqual([200, expect.stringContaining("Back to the form")])
        expect(back.text).toContain("data-go-on")
        const again = yield* goBack(browser, back)
        expectShown(again, shown)
        expect(again.path).toBe(page.path)
        // The form that is back can be sent.
        const taken = yield* browser.submit(again, "", { description: "Sent" })
        expect([form, taken.read]).not.toEqual([form, expect.stringContaining("Nothing was changed")])
      }
    }),
  )

  it.effect("MUST survive a key that is too old, or another person's, in the form itself", () =>
    Effect.gen(function* () {
      const { path, send, shop } = yield* world
      for (const [form, entered, shown] of forms(path)) {
        const page = yield* (yield* signedIn(send, shop.id)).open(form)
        expectShown(yield* (yield* signedIn(send, shop.id)).submit(page, "", entered), shown)
      }
      const browser = yield* signedIn(send, shop.id)
      const question = yield* browser.open(`${path}/resend?state=failed&kind=design.ordered`)
      const other = yield* signedIn(send, shop.id)
      const kept = new URLSearchParams({ form: "old", state: "failed", kind: "design.ordered", tests: "yes" })
      const again = yield* other.post(question.path.split("?")[0] ?? "", kept.toString())
      expect([again.status, again.text]).toEqual([403, expect.stringMatching(/value="failed" selected/)])
    }),
  )

  it.effect(
    "MUST survive in the midst of sending a log again: the run continues where it was, rather than asking again",
    () =>
      Effect.gen(function* () {
        const { path, send, shop } = yield* world
        const run = `${path}/resend?state=failed&next=r1&sent=1000&total=2100`
        const under = [/1,000 of 2,100 sent again/, /name="next" value="r1"/, /name="state" value="failed"/]
        const page = yield* (yield* signedIn(send, shop.id)).open(run)
        expectShown(yield* (yield* signedIn(send, shop.id)).submit(page, "resend"), under)
        const browser = yield* signedIn(send, shop.id)
        const own = yield* browser.open(run)
        yield* browser.submit(yield* browser.open("/settings/orders"), "./sign-out")
        const asked = yield* browser.submit(own, "resend")
        const signIn = asked.forms.find(({ action }) => action.includes("sign-in"))?.action ?? ""
        expectShown(yield* goBack(browser, yield* browser.submit(asked, signIn, { key: manageKey })), under)
      }),
  )

  it.effect("MUST NOT be kept from a page of another site, and nothing forged is opened as kept", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* world
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" }
      const foreign = yield* send("POST", `/settings/${shop.id}/webhooks/new`, {
        headers,
        body: "url=https://evil.example",
      })
      expect([foreign.status, foreign.headers["location"]]).toEqual([303, expect.stringContaining("sign-in")])
      const page = yield* browser.open("/settings/tokens")
      for (const kept of ["", "2.AAAA", "x"]) {
        const made = yield* browser.submit(page, "", { name: `Token ${kept}`, kept })
        expect(made.read).toContain("is ready")
      }
    }),
  )

  it.effect("MUST NOT be asked of a stranger beyond 32 KiB, and an action without fields leads back to its page", () =>
    Effect.gen(function* () {
      const { browser, path, shop } = yield* world
      const page = yield* browser.open(`${path}?state=failed`)
      const tokens = yield* browser.open("/settings/tokens")
      yield* browser.submit(page, "../sign-out")
      const large = yield* browser.submit(tokens, "", { name: "x".repeat(33 * 1024) })
      expect(large.path).toBe(`/settings/sign-in?next=${shop.id}%2F`)
      const pause = page.forms.find(({ action }) => action.endsWith("/pause"))
      const asked = yield* browser.submit(page, pause?.action ?? "")
      expect(asked.path).toBe(
        `/settings/sign-in?next=${encodeURIComponent(`${path.slice("/settings/".length)}?state=failed`)}`,
      )
      const back = yield* browser.submit(asked, "", { key: manageKey })
      expect(back.path).toBe(`${path}?state=failed`)
    }),
  )
})

describe("Two people who edit one endpoint", () => {
  const two = Effect.gen(function* () {
    const { browser, path, send, shop, store } = yield* world
    const other = yield* signedIn(yield* inProcess(store.ports), shop.id)
    const [mine, theirs] = [yield* browser.open(`${path}/update`), yield* other.open(`${path}/update`)]
    yield* TestClock.adjust("1 second")
    const current = Effect.map(
      manage(send, "GET", `/shops/${shop.id}/webhooks`),
      ({ json }) => (json as { readonly data: ReadonlyArray<unknown> }).data[0],
    )
    return { browser, current, mine, other, path, shop, store, theirs }
  })

  it.effect("MUST each keep what only the other has changed", () =>
    Effect.gen(function* () {
      const { browser, current, mine, other, theirs } = yield* two
      yield* other.submit(theirs, "", {
        url: "https://93.184.216.34/theirs",
        events: ["order.cancelled"],
        maxConcurrent: "3",
      })
      expect((yield* browser.submit(mine, "", { description: "Mine", payload: "reference" })).read).toContain("Saved.")
      expect(yield* current).toMatchObject({
        ...{ url: "https://93.184.216.34/theirs", events: ["order.cancelled"], maxConcurrent: 3 },
        ...{ description: "Mine", payload: "reference" },
      })
    }),
  )

  it.effect("MUST be told who has changed the same, see both values, and choose", () =>
    Effect.gen(function* () {
      const { browser, current, mine, other, theirs } = yield* two
      yield* other.submit(theirs, "", {
        description: "Theirs <b>",
        url: "https://93.184.216.34/theirs",
        maxConcurrent: "3",
      })
      const entered = { description: "Mine", url: "https://93.184.216.34/mine", events: ["order.cancelled"] }
      const asked = yield* browser.submit(mine, "", entered)
      expect([asked.status, asked.read]).toEqual([409, expect.stringContaining("Nothing was saved.")])
      expect(asked.read).toMatch(
        /Description Changed meanwhile by the management key, session \S{6} , .* Theirs, as it is now: Theirs <b> Yours, as it is in the form: Mine/,
      )
      expect(asked.text).toContain('value="Mine"')
      expect(yield* current).toMatchObject({ description: "Theirs <b>", url: "https://93.184.216.34/theirs" })
      // Without a choice, the question stays.
      const still = yield* browser.submit(asked, "", { "keep.url": "mine", events: ["order.cancelled"] })
      expect([still.status, still.read]).toEqual([409, expect.stringContaining("Theirs <b>")])
      expect(still.read).not.toContain("https://93.184.216.34/mine Yours")
      const chosen = { "keep.description": "theirs", "keep.url": "mine", events: ["order.cancelled"] }
      expect((yield* browser.submit(asked, "", chosen)).read).toContain("Saved.")
      expect(yield* current).toMatchObject({
        ...{
          description: "Theirs <b>",
          url: "https://93.184.216.34/mine",
          events: ["order.cancelled"],
          maxConcurrent: 3,
        },
      })
    }),
  )

  it.effect("MUST be told of a change that comes while one's own is under way (D31)", () =>
    Effect.gen(function* () {
      const { other, path, shop, store, theirs } = yield* two
      /** Comes once, between the reading of the endpoint and the change of it. */
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const meddled = Layer.effectContext(
        Effect.map(Layer.build(store.ports), (ports) => {
          const endpoints = Context.get(ports, EndpointStore)
          const update: typeof endpoints.update = (...parameters) =>
            Effect.suspend(() => {
              const first = meanwhile
              meanwhile = Effect.void
              return Effect.andThen(first, endpoints.update(...parameters))
            })
          return Context.add(ports, EndpointStore, { ...endpoints, update })
        }),
      )
      const browser = yield* signedIn(yield* inProcess(meddled), shop.id)
      const mine = yield* browser.open(`${path}/update`)
      meanwhile = Effect.orDie(other.submit(theirs, "", { description: "Theirs" }))
      const running = yield* Effect.forkChild(browser.submit(mine, "", { description: "Mine", maxConcurrent: "3" }))
      while (running.pollUnsafe() === undefined) {
        yield* Effect.promise(() => new Promise((next) => setImmediate(next)))
        yield* TestClock.adjust("10 millis")
      }
      const asked = yield* Fiber.join(running)
      expect([asked.status, asked.read]).toEqual([409, expect.stringContaining("as it is now: Theirs")])
      const chosen = yield* browser.submit(asked, "", { "keep.description": "mine" })
      expect(chosen.read).toContain("Saved.")
      expect((yield* browser.open(path)).read).toContain("Mine")
    }),
  )

  it.effect("MUST be told of a secret that the other has replaced, though its name is the same", () =>
    Effect.gen(function* () {
      const { browser, mine, other, path, theirs } = yield* two
      yield* other.submit(theirs, "", { headers: "X-Key: one" })
      yield* TestClock.adjust("1 second")
      const [again, second] = [yield* browser.open(`${path}/update`), yield* other.open(`${path}/update`)]
      yield* TestClock.adjust("1 second")
      expect((yield* other.submit(second, "", { headers: "X-Key: two" })).read).toContain("Saved.")
      const asked = yield* browser.submit(again, "", { headers: "X-Key: three" })
      expect([asked.status, asked.read]).toEqual([
        409,
        expect.stringMatching(/Theirs, as it is now: X-Key : set again Yours, as it is in the form: X-Key : set again/),
      ])
      expect(asked.text).not.toContain("three")
      // The same change twice is none.
      expect((yield* browser.submit(mine, "", { description: "Old" })).read).toContain("Saved.")
    }),
  )

  it.effect("MUST be told which headers, client and certificate each has added, removed and set again (D55)", () =>
    Effect.gen(function* () {
      const { browser, other, path, theirs } = yield* two
      const client = (clientId: string) => ({
        ...{ "oauth.tokenUrl": "https://93.184.216.34/token", "oauth.clientId": clientId },
        "oauth.clientSecret": "s3cret",
      })
      const authority = makeAuthority()
      const [ownPem = "", otherPem = ""] = ["a", "b"].map((name) => {
        const { cert, key } = authority.issue({ hosts: [`${name}.example`] })
        return `${cert}${key}`
      })
      yield* other.submit(theirs, "", { headers: "X-A: 1\nX-B: 1", ...client("a"), clientCertificate: ownPem })
      yield* TestClock.adjust("1 second")
      const [mine, second] = [yield* browser.open(`${path}/update`), yield* other.open(`${path}/update`)]
      yield* TestClock.adjust("1 second")
      yield* other.submit(second, "", { headers: "X-A: 2\nX-C: 2", ...client("a"), clientCertificate: ownPem })
      yield* TestClock.adjust("1 second")
      const sent = { headers: "X-B: 3\nX-D: 3", ...client("b"), clientCertificate: otherPem }
      const asked = yield* browser.submit(mine, "", sent)
      expect(asked.status).toBe(409)
      const url = "https://93.184.216.34/token"
      for (const [now, form] of [
        ["X-A : set again, X-C : added, X-B : removed", "X-B : set again, X-D : added, X-A : removed"],
        [`a, ${url} : set again`, `b, ${url} : added, a, ${url} : removed`],
        ["CN=receiver : set again", "… : set again"],
      ]) {
        expect(asked.read).toContain(`Theirs, as it is now: ${now} Yours, as it is in the form: ${form}`)
      }
      for (const secret of ["s3cret", "PRIVATE"]) expect(asked.text).not.toContain(secret)
      // Asked again: what has changed meanwhile is what is asked.
      const still = yield* browser.submit(asked, "", {
        "keep.oauth": "theirs",
        "keep.clientCertificate": "theirs",
        headers: "X-B: 3",
      })
      expect(still.read).toContain("Theirs, as it is now: X-A , X-C Yours, as it is in the form: X-B : added")
    }),
  )

  it.effect("MUST NOT meet with their input lost if it is not valid, and a third change is seen too", () =>
    Effect.gen(function* () {
      const { browser, current, mine, other, path, theirs } = yield* two
      yield* other.submit(theirs, "", { description: "Theirs" })
      const asked = yield* browser.submit(mine, "", { description: "Mine" })
      const third = yield* other.open(`${path}/update`)
      yield* TestClock.adjust("1 second")
      yield* other.submit(third, "", { description: "Third" })
      const again = yield* browser.submit(asked, "", { "keep.description": "mine" })
      expect([again.status, again.read]).toEqual([409, expect.stringContaining("Third")])
      const wrong = yield* browser.submit(again, "", { "keep.description": "mine", maxPerSecond: "many" })
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('value="Mine"')])
      expect(wrong.text).toContain('value="many"')
      expect(yield* current).toMatchObject({ description: "Third" })
      expect((yield* browser.submit(wrong, "", { maxPerSecond: "5" })).read).toContain("Saved.")
      expect(yield* current).toMatchObject({ description: "Mine", maxPerSecond: 5 })
    }),
  )
})
