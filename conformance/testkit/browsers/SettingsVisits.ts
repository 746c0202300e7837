/** Visits to every page of the settings app, with forms that are sent, taken and refused. */
import process from "node:process"
import { Effect, Layer } from "effect"
import { vi } from "vitest"
import { ringInput, shopInput } from "../../suites/service/Samples.ts"
import { receiveShopify } from "../hosts/PlatformEvents.ts"
import { inProcess, manage, manageKey, memory, type Send } from "../hosts/TestHost.ts"
import { type Browser, type PageForm, type Shown, signedIn } from "./Browser.ts"
import { busyShop } from "./BusyShop.ts"

const now = Date.UTC(2026, 9, 5, 14, 48)

/** A shop to which much has happened, at the same times in each run, and a browser that is signed in to it. */
export const visitedSite = Effect.fnUntraced(function* (language?: "de") {
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      vi.useFakeTimers({ toFake: ["Date"], now })
      return vi.spyOn(process.hrtime, "bigint").mockImplementation(() => BigInt(Date.now()) * 1_000_000n)
    }),
    (monotonic) =>
      Effect.sync(() => {
        monotonic.mockRestore()
        vi.useRealTimers()
      }),
  )
  const ports = yield* Layer.build((yield* memory.open).ports)
  const settings = language === undefined ? {} : { settings: { language } }
  const answered = yield* inProcess(Layer.succeedContext(ports), settings)
  // Nothing happens at the same time as anything else.
  const send: Send = (...request) =>
    Effect.suspend(() => {
      vi.setSystemTime(Date.now() + 1000)
      return answered(...request)
    })
  const urls = {
    healthy: "https://93.184.216.34/erp",
    failing: "https://93.184.216.34/planning",
    off: "https://93.184.216.34/analytics",
    quiet: "https://93.184.216.34/quiet",
  }
  const shop = yield* busyShop(send, ports, { id: "busy", urls })
  return { ports, send, shop, browser: (yield* signedIn(send, shop.id)).anywhere }
})

/** Opens pages and sends forms, and hands on each page that is shown, by a name. */
export const recorderOf = (browser: Browser, shown: (name: string, page: Shown) => Shown) => ({
  /** Opens a page of a store, or of none (`""`). */
  open: (name: string, path: string, store = "/busy") =>
    Effect.map(browser.open(`/settings${store}${path}`), (page) => shown(name, page)),
  /** Sends the form of a page whose address ends like this. */
  send: (
    name: string,
    page: Shown,
    action: string,
    entered: Readonly<Record<string, string | ReadonlyArray<string>>> = {},
  ) => {
    const isMeant = (form: PageForm) => (action === "" ? form.action === "" : form.action.endsWith(action))
    const form = page.forms.find(isMeant)
    return Effect.map(browser.submit(page, form?.action ?? action, entered), (next) => shown(name, next))
  },
})
type Recorder = ReturnType<typeof recorderOf>

/** The first delivery of an endpoint that is in a state. */
const firstDelivery = Effect.fnUntraced(function* (browser: Browser, endpoint: string, state: string) {
  const { text } = yield* browser.open(`/settings/busy/webhooks/${endpoint}?state=${state}`)
  return `/webhooks/${endpoint}/deliveries/${/deliveries\/(dlv_\w+)"/.exec(text)?.[1]}`
})

type World = Effect.Success<ReturnType<typeof visitedSite>>

const url = "https://93.184.216.34/new"

/** The visits by the names of their records. */
export const visits: Readonly<Record<string, (record: Recorder, world: World) => Effect.Effect<unknown>>> = {
  access: ({ open, send }, { send: sent }) =>
    Effect.gen(function* () {
      yield* manage(sent, "PUT", "/shops/other", shopInput)
      yield* open("no page", "/nothing")
      yield* open("no store", "/nothing/tokens", "")
      yield* open("a path without a store", "/webhooks", "")
      yield* open("no endpoint", "/webhooks/whe_none")
      const signIn = yield* send("leave", yield* open("stores", "/stores", ""), "sign-out")
      yield* send("a wrong key", signIn, "", { key: "wrong" })
      yield* send("the key", signIn, "", { key: manageKey })
      yield* open("how to sign out", "/sign-out")
      yield* open("none of the store's paths", "/webhooks/a/b/c/d/e/f/g/h/i/j")
    }),
  overview: ({ open }, { send, shop }) =>
    Effect.gen(function* () {
      yield* open("a busy store", "")
      const lines = ["a", "b", "c", "d", "e", "f"].map((designId) => ({ designId, lineItemId: designId }))
      for (const { designId } of lines) {
        yield* manage(send, "PUT", `/shops/${shop.id}/designs/${designId}`, ringInput)
      }
      const order = { name: "#2000", orderedAt: "2026-10-05T14:48:00Z", lines }
      yield* manage(send, "PUT", `/shops/${shop.id}/orders/6`, order)
      yield* open("an order of six designs", "")
    }),
  audit: ({ open }, { shop: { endpoints } }) =>
    Effect.gen(function* () {
      yield* open("all changes", "/audit")
      yield* open("of an endpoint", `/audit?subject=endpoint:${endpoints.off}`)
      yield* open("none", "/audit?to=2020-01-01")
      yield* open("no date", "/audit?to=soon")
    }),
  production: ({ open }) =>
    Effect.gen(function* () {
      yield* open("lines to make", "/production")
      yield* open("of one customizer", "/production?customizer=101&from=2026-10-01")
      yield* open("none", "/production?to=2020-01-01")
      yield* open("no day", "/production?from=soon")
      const list = yield* open("orders", "/orders")
      yield* open("a job ticket", `/orders/${/orders\/([^"/]+)\/?"/.exec(list.text)?.[1]}/ticket`)
    }),
  inbox: ({ open, send }, { ports, send: sent, shop }) =>
    Effect.gen(function* () {
      yield* open("none yet", "/inbox")
      const { id } = yield* receiveShopify(ports, shop.id, 3001, ["a"])
      yield* open("one event", `/inbox/${id}`)
      yield* open("of an order", "/inbox?q=3001")
      // Events of one millisecond have no order.
      vi.setSystemTime(Date.now() + 1000)
      yield* receiveShopify(ports, shop.id, 3002, ["b"], { currency: "USD" })
      yield* send("tried too early", yield* open("all", "/inbox"), `${id}/apply`)
      yield* manage(sent, "PUT", `/shops/${shop.id}/designs/a`, ringInput)
      yield* send("applied", yield* open("those that wait", "/inbox?state=waiting"), `${id}/apply`)
      yield* open("no state", "/inbox?state=done")
    }),
  events: ({ open }) => open("the kinds of events", "/events"),
  tokens: ({ open, send }) =>
    Effect.gen(function* () {
      const tokens = yield* open("tokens", "/tokens")
      yield* send("no name", tokens, "", { name: "" })
      const added = yield* send("a new one", tokens, "", { name: "ERP" })
      const [, path = ""] = /href="[^"]*(\/tokens\/[^"]+\/delete)"/.exec(added.text) ?? []
      yield* send("deleted", yield* open("the question", path), "delete")
    }),
  webhooks: ({ open, send }) =>
    Effect.gen(function* () {
      yield* open("endpoints", "/webhooks")
      const form = yield* open("a new one", "/webhooks/new")
      const refused = yield* send("a private address", form, "", { url: "https://10.0.0.1/", events: [] })
      const added = yield* send("created", refused, "", { url, description: "ERP", events: ["design.created"] })
      yield* open("its secret, later", added.path.replace("/settings/busy", ""))
      yield* open("endpoints", "/webhooks")
    }),
  endpoints: ({ open, send }, { shop: { endpoints } }) =>
    Effect.gen(function* () {
      const healthy = `/webhooks/${endpoints.healthy}`
      yield* open("healthy", healthy)
      yield* open("filtered", `${healthy}?state=failed&event=design.created`)
      yield* open("failing", `/webhooks/${endpoints.failing}`)
      const off = yield* open("switched off", `/webhooks/${endpoints.off}`)
      yield* send("missed", yield* send("enabled", off, "enable"), "recover")
      yield* open("quiet", `/webhooks/${endpoints.quiet}`)
    }),
  changes: ({ open, send }, { shop: { endpoints } }) =>
    Effect.gen(function* () {
      const path = `/webhooks/${endpoints.quiet}`
      const form = yield* open("update", `${path}/update`)
      yield* send("no kinds of events", form, "", { events: [] })
      yield* send("saved", form, "", { url, description: "New" })
      const rotate = yield* open("rotate", `${path}/rotate`)
      yield* send("no period", rotate, "", { overlap: "" })
      yield* send("rotated", rotate, "", { overlap: "3600" })
      const rotating = yield* open("both secrets", path)
      yield* open("rotate again", `${path}/rotate`)
      yield* send("promoted", rotating, "promote")
      yield* send("replaced", rotate, "", { overlap: "0" })
      yield* send("deleted", yield* open("the question", `${path}/delete`), "delete")
    }),
  deliveries: ({ open, send }, { browser, shop: { endpoints } }) =>
    Effect.gen(function* () {
      const first = (name: "healthy" | "failing" | "off", state: string) =>
        firstDelivery(browser, endpoints[name], state)
      const delivered = yield* open("delivered", yield* first("healthy", "succeeded"))
      yield* send("again", delivered, "redeliver")
      yield* open("failed", yield* first("failing", "failed"))
      yield* open("pending", yield* first("failing", "pending"))
      const waiting = yield* open("of an endpoint that is off", yield* first("off", "succeeded"))
      yield* send("once it is on", waiting, "redeliver")
    }),
  repair: ({ open, send }, { browser, shop: { endpoints } }) =>
    Effect.gen(function* () {
      const healthy = `/webhooks/${endpoints.healthy}`
      yield* open("the question", `${healthy}/resend?state=succeeded`)
      yield* open("a wrong filter", `${healthy}/resend?from=soon`)
      yield* open("nothing", `/webhooks/${endpoints.quiet}/resend`)
      const progress = yield* open("the progress", `${healthy}/resend?state=failed&next=r1&sent=1000&total=10000`)
      yield* send("stopped", progress, "stop")
      // One: the deliveries of a run have the same time, so that their order in the log is drawn.
      yield* send("sent again", yield* open("one", `/webhooks/${endpoints.failing}/resend?state=failed`), "resend")
      const missed = yield* open("missed events", `/webhooks/${endpoints.off}/recover?since=24h`)
      yield* send("no time", missed, "recover", { since: "soon" })
      yield* open("a time of one's own", `/webhooks/${endpoints.off}/recover?since=2026-10-01T00:00`)
      yield* open("pending", yield* firstDelivery(browser, endpoints.failing, "pending"))
    }),
  others: ({ open }, { send }) =>
    Effect.gen(function* () {
      for (const [shop, plan] of [
        ["free", "free"],
        ["empty", "pro"],
      ] as const) {
        yield* manage(send, "PUT", `/shops/${shop}`, { ...shopInput, plan })
        for (const path of ["", "/webhooks", "/webhooks/new", "/tokens"])
          yield* open(`${plan} ${path}`, path, `/${shop}`)
      }
    }),
}
