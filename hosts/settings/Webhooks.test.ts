/** Webhook endpoints and their deliveries in the settings app. */

import { expect } from "@effect/vitest"
import { Context, Effect, Option, Result } from "effect"
import { makeAuthority } from "../../conformance/suites/sender/Certificates.ts"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { type Browser, type Entered, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { attempted as attemptedOn, type Outcome } from "../../conformance/testkit/workers/Attempted.ts"
import type { Health } from "../../core/model/Health.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"

const endpointForm = { url: "https://93.184.216.34/hook", events: "design.ordered" }

/** Adds an endpoint through the form, and returns its id and its secret. */
const added = Effect.fnUntraced(function* (browser: Browser, fields: Entered = {}) {
  const form = yield* browser.open("/settings/webhooks/new")
  const page = yield* browser.submit(form, "", { ...endpointForm, ...fields })
  const [, id = ""] = /\/webhooks\/(whe_\w+)\/secret$/.exec(page.path) ?? []
  const [secret = ""] = /whsec_[\w+/=]+/.exec(page.text) ?? []
  return { id, page, secret, path: page.path.replace(/\/secret$/, "") }
})

/** Orders a design, so that endpoints with the event get a delivery. */
const order = Effect.fnUntraced(function* (shop: TestShop, id: string) {
  const { send } = yield* TestHost
  yield* newDesign(send, shop, id)
  yield* newOrder(send, shop, `order-${id}`, [id])
})

/** Attempts the due deliveries of a shop, as a worker does, with a given outcome. */
const attempted = (shop: TestShop, outcome: Outcome, health?: Partial<Health>) =>
  TestHost.use(({ ports }) => attemptedOn(ports, shop.id, outcome, health))

/** A shop, and a browser that is signed in to it. */
const ownShop = Effect.gen(function* () {
  const { send } = yield* TestHost
  const shop = yield* newShop(send)
  return { send, shop, browser: yield* signedIn(send, shop.id) }
})

onHosts("Webhooks in the settings app", [memory, postgres], (it) => {
  it.effect("MUST say exactly why a URL is refused, keep the entered values, and mark design.created (§6)", () =>
    Effect.gen(function* () {
      const { browser } = yield* ownShop
      const { page } = yield* added(browser, { url: "https://10.0.0.1/x", description: `"><b>` })
      expect([page.status, page.read]).toEqual([422, expect.stringContaining("Nothing can be sent to this host")])
      expect(page.text).toContain('value="https://10.0.0.1/x"')
      expect(page.text).toContain('value="&quot;>&lt;b>"')
      expect(page.read).toMatch(/^(?!.*Pending deliveries).*Off by default, high volume/s)
      expect((yield* added(browser, { url: "" })).page.status).toBe(400)
      const none = yield* browser.submit(page, "", { ...endpointForm, events: [] })
      expect([none.status, none.read]).toEqual([400, expect.stringContaining("Choose at least one kind of event")])
      // All faults at once, and the focus at the first.
      const both = yield* browser.submit(page, "", { url: "https://10.0.0.1/x", events: [] })
      expect(both.read).toContain("Choose at least one kind of event")
      expect(both.read).toContain("Nothing can be sent to this host")
      expect(both.text.match(/<[^>]* autofocus[^>]*>/g)).toEqual([expect.stringContaining('id="url"')])
      expect(none.text.match(/<[^>]* autofocus[^>]*>/g)).toEqual([expect.stringContaining('name="events"')])
    }),
  )

  it.effect("MUST accept five endpoints but not a sixth (§8)", () =>
    Effect.gen(function* () {
      const { browser } = yield* ownShop
      const before = yield* browser.open("/settings/webhooks/new")
      for (let index = 0; index < 5; index++) yield* added(browser)
      const full = "A shop can have 5 endpoints, and this one has them all"
      const page = yield* browser.submit(before, "", { url: "https://93.184.216.34/hook", events: "design.ordered" })
      expect([page.status, page.read]).toEqual([409, expect.stringContaining(full)])
      expect((yield* browser.open("/settings/webhooks")).read).toContain(full)
      expect((yield* browser.open("/settings/webhooks")).read).not.toContain("Create endpoint")
    }),
  )

  it.effect("MUST say how many pending deliveries go with an endpoint that is deleted (§1-7)", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* ownShop
      const { path } = yield* added(browser)
      yield* order(shop, "d-1")
      expect((yield* browser.open(`${path}/delete`)).read).toContain("1 pending delivery with them")
      yield* order(shop, "d-2")
      expect((yield* browser.open(`${path}/delete`)).read).toContain("2 pending deliveries with them")
    }),
  )

  it.effect("MUST send the Standard Webhooks headers if and only if the box is checked (D41)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* ownShop
      const plain = yield* added(browser)
      expect((yield* browser.open(plain.path)).read).toContain("Headers X-Service Failed")
      expect((yield* browser.open(`${plain.path}/secret`)).read).not.toContain("standardwebhooks")
      const { id, path } = yield* added(browser, { standardWebhooks: "yes" })
      const standard = Effect.map(
        manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`),
        ({ json }) => (json as { readonly standardWebhooks: boolean }).standardWebhooks,
      )
      expect(yield* standard).toBe(true)
      expect((yield* browser.open(path)).read).toContain("X-Service and Standard Webhooks")
      expect((yield* browser.open(`${path}/secret`)).read).toContain('from "standardwebhooks"')
      yield* order(shop, "d-1")
      yield* attempted(shop, { statusCode: 200, responseStart: "", error: null })
      const log = yield* manage(send, "GET", `/shops/${shop.id}/webhooks/${id}/deliveries`)
      const [delivery] = (
        log.json as { readonly data: ReadonlyArray<{ readonly id: string; readonly eventId: string }> }
      ).data
      const shown = (yield* browser.open(`${path}/deliveries/${delivery?.id}`)).read
      expect(shown).toContain(`webhook-id: ${delivery?.eventId}`)
      expect(shown).toMatch(/webhook-signature: v1,[A-Za-z0-9+/]{43}=(?! v1)/)
      const update = yield* browser.open(`${path}/update`)
      expect(update.text).toMatch(/<input[^>]*name="standardWebhooks"[^>]*checked/)
      yield* browser.submit(update, "", { standardWebhooks: [] })
      expect(yield* standard).toBe(false)
    }),
  )

  it.effect("MUST set the pace of an endpoint, show it, and say what is wrong with another (D54)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* ownShop
      const { id, path } = yield* added(browser, { maxPerSecond: "10", maxConcurrent: "2", ordering: "yes" })
      const stored = Effect.map(manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`), ({ json }) => json)
      expect(yield* stored).toMatchObject({ maxPerSecond: 10, maxConcurrent: 2, ordering: "object" })
      const page = yield* browser.open(path)
      expect(page.read).toContain("at most 10 per second, at most 2 at the same time")
      expect(page.read).toContain("One at a time for each order")
      const update = yield* browser.open(`${path}/update`)
      for (const [fields, words] of [
        [{ maxPerSecond: "1001" }, "from 1 to 1,000"],
        [{ maxPerSecond: "ten" }, "from 1 to 1,000"],
        [{ maxConcurrent: "9" }, "from 1 to 8"],
      ] as const) {
        const unread = yield* browser.submit(update, "", fields)
        expect([unread.status, unread.read.includes(words)]).toEqual([400, true])
      }
      expect(yield* stored).toMatchObject({ maxPerSecond: 10, maxConcurrent: 2 })
      yield* browser.submit(update, "", { maxPerSecond: "", maxConcurrent: " " })
      expect(yield* stored).toMatchObject({ maxPerSecond: null, maxConcurrent: null })
      expect((yield* browser.open(path)).read).not.toContain("at most")
    }),
  )

  it.effect("MUST fold the options that few endpoints need, unless one is in use or has a problem", () =>
    Effect.gen(function* () {
      const { browser } = yield* ownShop
      const folded = ({ text }: { readonly text: string }) =>
        [...text.matchAll(/<details class="card"( open)?>/g)].map(([, open]) =>
          open === undefined ? "closed" : "open",
        )
      const create = yield* browser.open("/settings/webhooks/new")
      expect(folded(create)).toEqual(["closed", "closed"])
      const unread = yield* browser.submit(create, "", { ...endpointForm, maxPerSecond: "1001" })
      expect([unread.status, ...folded(unread)]).toEqual([400, "open", "closed"])
      const refused = yield* browser.submit(create, "", { ...endpointForm, "oauth.clientId": "designs" })
      expect([refused.status, ...folded(refused)]).toEqual([400, "closed", "open"])
      for (const [fields, expected] of [
        [{}, ["closed", "closed"]],
        [{ ordering: "yes" }, ["open", "closed"]],
        [{ maxConcurrent: "7" }, ["open", "closed"]],
        // They are ticked above.
        [{ customizers: "7" }, ["closed", "closed"]],
        [{ headers: "X-A: b" }, ["closed", "open"]],
      ] as const) {
        const { path } = yield* added(browser, fields)
        expect(folded(yield* browser.open(`${path}/update`))).toEqual(expected)
      }
    }),
  )

  it.effect("MUST have customizers to tick by their titles, and show an endpoint by its description (D71)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [id, title] of [
        [7, "Mug"],
        [9, "Cap"],
      ] as const) {
        yield* manage(send, "PUT", `/shops/${shop.id}/customizers/${id}`, {
          ...{ title, platformProductId: "gid://p/Product/1", assetBase: "https://a.example" },
        })
      }
      const browser = yield* signedIn(send, shop.id)
      const { id, path } = yield* added(browser, { description: "The ERP", customizers: ["7", "8"] })
      const stored = Effect.map(manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`), ({ json }) => json)
      expect(yield* stored).toMatchObject({ customizers: [7, 8] })
      const own = yield* browser.open(path)
      expect([own.read, own.text]).toEqual([
        expect.stringContaining("Customizers Mug , 8"),
        expect.stringContaining("<h1><bdi>The ERP</bdi> "),
      ])
      const update = yield* browser.open(`${path}/update`)
      const boxes = [...update.text.matchAll(/name="customizers" value="(\d)"( checked)?[^>]*><label[^>]*><bdi>(\w+)/g)]
      expect(boxes.map(([, value, checked, title]) => [value, checked !== undefined, title])).toEqual([
        ["7", true, "Mug"],
        ["8", true, "8"],
        ["9", false, "Cap"],
      ])
      yield* browser.submit(update, "", { customizers: ["7", "9"] })
      expect(yield* stored).toMatchObject({ customizers: [7, 9] })
      yield* added(browser, { description: "The shop floor" })
      yield* order(shop, "d-1")
      const list = yield* browser.open("/settings/deliveries")
      expect(list.text).toMatch(/class="target"><a href="[^"]*"><bdi>The shop floor</)
      expect(list.text).toContain(`<option value="${id}">The ERP<`)
    }),
  )

  it.effect(
    "MUST set how deliveries are made, keep headers that are left empty, and never show their values (D55, D71, D72, D76)",
    () =>
      Effect.gen(function* () {
        const { browser, send, shop } = yield* ownShop
        const given = {
          customizers: "7, 1234 8",
          payload: "yes",
          heedRetryAfter: "yes",
          headers: "Authorization: Basic dXNlcg==\r\n\r\nX-A:b:c",
        }
        const { id, path } = yield* added(browser, given)
        const stored = Effect.map(manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`), ({ json }) => json)
        const names = ["Authorization", "X-A"]
        expect(yield* stored).toMatchObject({
          ...{ customizers: [7, 1234, 8], payload: "reference" },
          ...{ heedRetryAfter: true, headers: names },
        })
        const page = yield* browser.open(path)
        expect(page.read).toContain("7, 1234, 8")
        expect(page.read).toContain("Ids instead of objects")
        expect(page.read).toContain("No earlier than the receiver asks")
        expect(page.read).toContain("Authorization, X-A")
        const update = yield* browser.open(`${path}/update`)
        expect(update.text).toMatch(/<input[^>]*name="payload"[^>]*checked/)
        expect(update.text).toMatch(/<input[^>]*name="heedRetryAfter"[^>]*checked/)
        for (const { text } of [page, update]) expect(text).not.toContain("dXNlcg")
        yield* browser.submit(update, "", { payload: [], heedRetryAfter: [] })
        expect(yield* stored).toMatchObject({ payload: "full", heedRetryAfter: false, headers: names })
        for (const customizers of ["7, mug", "7, 7", "0"]) {
          const unread = yield* browser.submit(update, "", { customizers })
          expect([unread.status, unread.read.includes("Enter ids of customizers")]).toEqual([400, true])
          expect(unread.text).toContain(`value="${customizers.split(", ").at(-1)}" checked`)
        }
        expect(yield* stored).toMatchObject({ customizers: [7, 1234, 8] })
        yield* browser.submit(update, "", { customizers: " " })
        expect(yield* stored).toMatchObject({ customizers: null })
        const refused = yield* browser.submit(update, "", { headers: "Host: evil.example.com" })
        expect([refused.status, refused.read.includes("another name than Host")]).toEqual([400, true])
        const again = yield* browser.submit(update, "", { url: "http://10.0.0.1/", headers: "X-B: s3cret-value" })
        expect(again.status).toBe(422)
        expect(again.read).toContain("Enter the headers again")
        expect(again.text).not.toContain("s3cret-value")
        expect(yield* stored).toMatchObject({ headers: names })
        const basic = { "basic.user": "erp", "basic.password": "s3cret-word" }
        const wrong = yield* browser.submit(update, "", { ...basic, url: "http://10.0.0.1/" })
        expect([wrong.status, wrong.text.includes("s3cret-word")]).toEqual([422, false])
        expect(wrong.read).toContain("Enter the password again")
        expect(wrong.text).toMatch(/value="erp"[^>]*name="basic.user".*required[^>]*name="basic.password"/s)
        const colon = yield* browser.submit(update, "", { ...basic, "basic.user": "erp:a" })
        expect([colon.status, colon.read]).toEqual([400, expect.stringContaining("A user name has no colon")])
        yield* browser.submit(update, "", basic)
        expect(yield* stored).toMatchObject({ headers: ["Authorization"] })
        yield* browser.submit(yield* browser.open(`${path}/update`), "", { "remove.headers": "yes" })
        expect(yield* stored).toMatchObject({ headers: [] })
      }),
  )

  it.effect("MUST set an OAuth client, keep it if its secret is left empty, and never show the secret (D55)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* ownShop
      const names = { tokenUrl: "https://93.184.216.34/token", clientId: "shop", scope: "a b" }
      const fields = Object.fromEntries(Object.entries(names).map(([name, value]) => [`oauth.${name}`, value]))
      const { id, path } = yield* added(browser, { ...fields, "oauth.clientSecret": "s3cret-value" })
      const stored = Effect.map(
        manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`),
        ({ json }) => (json as { readonly oauth: unknown }).oauth,
      )
      const client = { ...names, audience: null }
      expect(yield* stored).toEqual(client)
      const page = yield* browser.open(path)
      expect(page.read).toContain("https://93.184.216.34/token")
      const update = yield* browser.open(`${path}/update`)
      for (const { text } of [page, update]) expect(text).not.toContain("s3cret-value")
      yield* browser.submit(update, "", { description: "ERP" })
      expect(yield* stored).toEqual(client)
      const incomplete = yield* browser.submit(update, "", { "oauth.scope": "a" })
      expect([incomplete.status, incomplete.read.includes("Enter 1 to 1,024 letters")]).toEqual([400, true])
      expect(incomplete.text).toMatch(/name="oauth.scope"[^>]*value="a"|value="a"[^>]*name="oauth.scope"/)
      const secret = { "oauth.clientSecret": "other-s3cret" }
      const refused = yield* browser.submit(update, "", { ...secret, "oauth.tokenUrl": "https://10.0.0.1/" })
      expect(refused.status).toBe(422)
      expect(refused.read).toContain("Nothing can be sent to this host")
      expect(refused.read).toContain("Enter the client secret again")
      expect(refused.text).not.toContain("other-s3cret")
      const both = yield* browser.submit(update, "", { headers: "Authorization: Basic x" })
      expect([both.status, both.read.includes("Remove the header Authorization")]).toEqual([422, true])
      expect(yield* stored).toEqual(client)
      yield* browser.submit(update, "", { ...secret, "oauth.scope": "", "oauth.audience": "api" })
      expect(yield* stored).toEqual({ ...client, scope: null, audience: "api" })
      const none = ["tokenUrl", "clientId", "scope", "audience"].map((name) => [`oauth.${name}`, ""])
      yield* browser.submit(yield* browser.open(`${path}/update`), "", Object.fromEntries(none))
      expect(yield* stored).toBeNull()
    }),
  )

  it.effect("MUST set a client certificate, keep it if the field is left empty, and never show its key (D55)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* ownShop
      const authority = makeAuthority()
      const { cert, key } = authority.issue({ hosts: ["client.example"] })
      const other = authority.issue({ hosts: ["other.example"] })
      const { id, path } = yield* added(browser, { clientCertificate: `${key}${cert}${authority.cert}` })
      const stored = Effect.map(
        manage(send, "GET", `/shops/${shop.id}/webhooks/${id}`),
        ({ json }) => (json as { readonly clientCertificate: unknown }).clientCertificate,
      )
      const kept = { subject: "CN=receiver", endsAt: expect.any(String) }
      expect(yield* stored).toEqual(kept)
      const page = yield* browser.open(path)
      expect(page.read).toContain("CN=receiver")
      const update = yield* browser.open(`${path}/update`)
      for (const { text } of [page, update]) expect(text).not.toContain(key.slice(40, 80))
      yield* browser.submit(update, "", { description: "ERP" })
      expect(yield* stored).toEqual(kept)
      const ended = authority.issue({ hosts: ["a.example"], until: new Date(Date.now() - 1_000) })
      for (const [pem, status, words] of [
        ["secret words", 400, "Enter a certificate as PEM"],
        [cert, 400, "Enter the key of the certificate"],
        [`${cert}${other.key}`, 422, "The key belongs to another certificate"],
        [`${ended.cert}${ended.key}`, 422, "This certificate has ended"],
      ] as const) {
        const refused = yield* browser.submit(update, "", { clientCertificate: pem })
        expect([refused.status, refused.read.includes(words), words]).toEqual([status, true, words])
        expect(refused.text).not.toContain(pem.slice(40, 80) || pem)
      }
      const again = yield* browser.submit(update, "", { clientCertificate: `${cert}${key}`, url: "http://10.0.0.1/" })
      expect([again.status, again.read.includes("Enter the certificate and its key again")]).toEqual([422, true])
      expect(yield* stored).toEqual(kept)
      yield* browser.submit(update, "", { "remove.clientCertificate": "yes" })
      expect(yield* stored).toBeNull()
    }),
  )

  it.effect("MUST show the notices that the owner has received, newest first, for as long as they are kept (D42)", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* ownShop
      expect((yield* browser.open("/settings")).read).not.toContain("Notices")
      const { id, path } = yield* added(browser)
      const timeout = { statusCode: null, responseStart: null, error: "timeout" } as const
      yield* order(shop, "d-1")
      yield* attempted(shop, timeout, { consecutiveFailures: 10 })
      yield* order(shop, "d-2")
      yield* attempted(shop, timeout, { status: "switched_off", switchedOffAt: Date.now(), consecutiveFailures: 20 })
      const { read, text } = yield* browser.open("/settings")
      expect(read).toMatch(/Notices.*Switched off after 20 failures in a row.*Failed 10 times in a row/s)
      expect(text).toContain(`webhooks/${id}">Failed 10 times in a row: no answer in time</a>`)
      const deleting = yield* browser.open(`${path}/delete`)
      yield* browser.submit(deleting, deleting.forms.at(-1)?.action ?? "")
      const after = yield* browser.open("/settings")
      expect(after.read).toContain("Failed 10 times in a row")
      expect(after.text).not.toContain("in a row: no answer in time</a>")
    }),
  )

  it.effect(
    "MUST say of an endpoint that fails what was last answered, and since when, wherever it is shown (D27)",
    () =>
      Effect.gen(function* () {
        const { browser, shop } = yield* ownShop
        const { path } = yield* added(browser, { description: "ERP" })
        const said = "The token endpoint answered 400: invalid_client"
        const noToken = { statusCode: null, error: "token", responseStart: said } as const
        const wrong = { statusCode: 401, responseStart: "no such key", error: null }
        yield* order(shop, "d-1")
        yield* attempted(shop, wrong, { consecutiveFailures: 1 })
        const pages = ["/settings/", "/settings/webhooks", path]
        for (const page of pages) {
          expect((yield* browser.open(page)).read).toMatch(/Last answer: 401 no such key .* · first failure /)
        }
        yield* order(shop, "d-2")
        const off = { status: "switched_off", switchedOffAt: Date.now(), consecutiveFailures: 20 } as const
        yield* attempted(shop, noToken, off)
        for (const page of pages) {
          const { read } = yield* browser.open(page)
          expect(read).toMatch(/Last answer: The token endpoint answered 400: invalid_client/)
          // Of its first failures nothing is known.
          expect(read).not.toContain("first failure")
        }
        yield* order(shop, "d-3")
        const page = yield* browser.open(path)
        const enable = page.forms.find(({ action }) => action.endsWith("/enable"))?.action ?? ""
        const enabled = yield* browser.submit(page, enable)
        expect(enabled.read).toMatch(/The endpoint is on again\. 2 deliveries are pending now\..*Send it now/)
        expect((yield* browser.open("/settings/webhooks")).read).not.toContain("Last answer")
      }),
  )

  it.effect("MUST list endpoints with figures that compare them, sorted by each of these, the worst first (D60)", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* ownShop
      yield* added(browser, { description: "First" })
      yield* order(shop, "d-1")
      yield* attempted(shop, { statusCode: 200, responseStart: "", error: null })
      yield* added(browser, { description: "Second" })
      yield* order(shop, "d-2")
      yield* attempted(shop, { statusCode: 500, responseStart: "", error: null })
      yield* added(browser, { description: "Idle", events: "order.cancelled" })
      const names = (query: string) =>
        Effect.map(browser.open(`/settings/webhooks${query}`), ({ text }) =>
          [...text.matchAll(/webhooks\/whe_\w+"><bdi>(\w+)/g)].map(([, name]) => name),
        )
      expect(yield* names("")).toEqual(["First", "Second", "Idle"])
      for (const figure of ["success", "lastSuccess"])
        expect([figure, yield* names(`?sort=${figure}`)]).toEqual([figure, ["Second", "First", "Idle"]])
      expect(yield* names("?sort=toString")).toEqual(["First", "Second", "Idle"])
      for (const figure of ["failed", "median", "slow", "waiting"]) {
        expect([figure, (yield* names(`?sort=${figure}`)).toSorted()]).toEqual([figure, ["First", "Idle", "Second"]])
      }
      const { read, text } = yield* browser.open("/settings/webhooks?sort=failed")
      expect(text).toMatch(/aria-sort="descending"><a href="\?sort=failed">/)
      expect(read).toMatch(
        /First 93.* Active 50% 1 .* 0% 1 \S+(?: seconds? ago)? Second 93.* Active 0% 1 .* 1 None in the/,
      )
      expect(read).toMatch(/Idle 93\S+ Active – 0 – – 0 Nothing delivered yet/)
      expect(read).toMatch(/First 93.* Of the last 2: 1 × 500 .*Second 93.* Of the last 1: 1 × 500 /)
      expect(read).not.toContain("timed out")
      for (const id of ["d-3", "d-4"]) {
        yield* order(shop, id)
        yield* attempted(shop, { statusCode: null, responseStart: null, error: "timeout" })
      }
      const { read: later } = yield* browser.open("/settings/webhooks")
      expect(later).toMatch(/First .* Of the last 4: 2 × The connection was not ready [^,]*, 1 × 500, 2 timed out /)
    }),
  )

  it.effect("MUST say that an endpoint was on already if it was, and nothing of pending deliveries (D27)", () =>
    Effect.gen(function* () {
      const { browser } = yield* ownShop
      const { page, path } = yield* added(browser)
      const [, form = ""] = page.forms[0]?.fields.find(([name]) => name === "form") ?? []
      const on = yield* browser.post(`${path}/enable`, new URLSearchParams({ form }).toString())
      expect(on.read).toContain("The endpoint was on already. Nothing has changed.")
      expect(on.read).not.toContain("on again")
    }),
  )

  it.effect("MUST say on the free plan that nothing is sent, and offer nothing that would be refused (D8, §1)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* ownShop
      const plan = (plan: string) => manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan })
      yield* plan("free")
      expect((yield* browser.open("/settings/")).read).toContain("part of the Pro and Plus plans")
      yield* plan("pro")
      const { path } = yield* added(browser)
      yield* order(shop, "d-1")
      const open = yield* browser.open(path)
      const [, id = ""] = /\/deliveries\/(dlv_[\w-]+)"/.exec(open.text) ?? []
      expect(open.forms.map(({ action }) => action.split("/").at(-1))).toEqual(["sign-out", "test", "pause", ""])
      yield* plan("free")
      for (const below of ["/settings/", "/settings/webhooks", path]) {
        const { read } = yield* browser.open(below)
        expect([below, read]).toEqual([below, expect.stringContaining("Nothing is sent on the free plan")])
        expect([below, read]).toEqual([below, expect.not.stringMatching(/Active|All working/)])
      }
      for (const below of [path, "/settings/webhooks/new", `${path}/deliveries/${id}`]) {
        const { forms, status } = yield* browser.open(below)
        expect([below, status, forms.map(({ action }) => action.split("/").at(-1))]).toEqual([below, 200, ["sign-out"]])
      }
      expect((yield* browser.open("/settings/webhooks/new")).read).toContain("part of the Pro and Plus plans")
      expect((yield* browser.open(`${path}/deliveries/${id}`)).read).toContain("When the shop's plan includes webhooks")
      yield* plan("plus")
      expect((yield* browser.open("/settings/")).read).toMatch(/All working.*Active/)
    }),
  )

  it.effect("MUST report a signing secret that can't be decrypted, only on the page of its endpoint (D20)", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const [lost, kept] = [yield* added(browser), yield* added(browser)]
      const endpoints = Context.get(ports, EndpointStore)
      const { secret } = Option.getOrThrow(yield* endpoints.find(shop.id, kept.id))
      // A secret can be decrypted only for the endpoint that it was sealed for.
      yield* endpoints.update(shop.id, lost.id, (endpoint) => Result.succeed({ ...endpoint, secret }))
      expect((yield* browser.open(lost.path)).read).toContain("can't be decrypted")
      expect((yield* browser.open(kept.path)).read).not.toContain("can't be decrypted")
    }),
  )

  it.effect("MUST neither show nor change anything of another store", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [mine, other] = [yield* newShop(send), yield* newShop(send)]
      const browser = yield* signedIn(send, mine.id)
      const path = (yield* added(yield* signedIn(send, other.id))).path.replace(other.id, mine.id)
      const page = yield* browser.open("/settings/webhooks/new")
      const [, form = ""] = page.forms[0]?.fields.find(([name]) => name === "form") ?? []
      for (const below of [
        "",
        "/update",
        "/delete",
        "/secret",
        "/resend",
        "/recover",
        "/deliveries/dlv_x",
        "/deliveries/dlv_x/body",
      ]) {
        expect([below, (yield* browser.open(path + below)).status]).toEqual([below, 404])
      }
      const actions = ["update", "delete", "pause", "enable", "test", "recover", "resend", "resend/stop"]
      const below = "/deliveries/dlv_x"
      for (const action of [...actions.map((name) => `/${name}`), `${below}/redeliver`, `${below}/try`]) {
        const body = new URLSearchParams({ form, url: "https://93.184.216.34/x", since: "2020-01-01T00:00" })
        expect([action, (yield* browser.post(path + action, body.toString())).status]).toEqual([action, 404])
        expect([action, (yield* browser.post(path + action, "form=x")).status]).toEqual([action, 403])
      }
      const { json } = yield* manage(send, "GET", `/shops/${other.id}/webhooks`)
      expect(json).toMatchObject({ data: [{ url: "https://93.184.216.34/hook" }] })
    }),
  )
})
