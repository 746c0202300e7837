/** How many statements each page of the settings app costs its store. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Postgres from "../../adapters/postgres/index.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { busyShop } from "../../conformance/testkit/browsers/BusyShop.ts"
import { cuttableWire } from "../../conformance/testkit/databases/CuttableWire.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { executed } from "../../conformance/testkit/databases/StatementLog.ts"
import { keptAlive, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: "https://93.184.216.34/quiet",
}

/** A host over Postgres with a busy shop, and the statements that it sends. */
const site = Effect.gen(function* () {
  const statements: Array<string> = []
  const run = (text: string) => {
    // What hosts send on their own: connections that begin or listen.
    if (text !== "" && !/^(BEGIN|COMMIT|LISTEN|SET|SHOW|SELECT set_config|SELECT 1\b)/i.test(text)) {
      statements.push(text)
    }
  }
  const wire = yield* cuttableWire(yield* migratedDatabase, { connection: () => executed(run) })
  const ports = yield* Layer.build(Postgres.layer({ url: Redacted.make(wire.url), maxConnections: 4 }))
  const send = sender(yield* serve(ports), yield* keptAlive)
  const shop = yield* busyShop(send, ports, { id: "busy", urls })
  const browser = yield* signedIn(send, shop.id)
  /** Opens a page and returns its statements. */
  const statementsOf = Effect.fnUntraced(function* (path: string) {
    statements.length = 0
    const page = yield* browser.open(`/settings${path}`)
    // Whether the session has ended is read besides: an application that authorizes requests itself has no sessions.
    const [session, ...others] = statements
    expect(session).toContain("settings_marks")
    return { page, statements: others }
  })
  return { ...shop.endpoints, statementsOf }
})

it.live("each page MUST take as few statements as it can, the overview no more than five", () =>
  Effect.gen(function* () {
    const { failing, healthy, quiet, statementsOf } = yield* site
    const delivery = /deliveries\/dlv_\w+/.exec((yield* statementsOf(`/webhooks/${failing}`)).page.text)?.[0]
    const pages: ReadonlyArray<readonly [path: string, statements: number]> = [
      // The shop with its endpoints, its activity, its platform's events in trouble, its notices, its orders.
      ["/", 5],
      ["/?range=30d", 5],
      // Of every page: its shop with endpoints, and its platform's events in trouble, which the menu counts.
      ["/events", 2],
      ["/webhooks", 3],
      // Forms have customizers to choose from.
      ["/webhooks/new", 3],
      // A list of changes that is shorter than its page is asked whether it continues: it may have ended by its bytes.
      [`/webhooks/${healthy}`, 8],
      [`/webhooks/${healthy}/update`, 3],
      [`/webhooks/${quiet}/delete`, 3],
      [`/webhooks/${quiet}/rotate`, 2],
      [`/webhooks/${healthy}/secret`, 2],
      // The delivery, what it is about, and the name of its order.
      [`/webhooks/${failing}/${delivery}`, 4],
      // Of what changes are about, customizers are looked up together, and orders.
      ["/audit", 4],
      ["/tokens", 3],
      ["/stores", 1],
    ]
    const taken: Array<readonly [path: string, statements: number]> = []
    for (const [path] of pages) {
      const { page, statements } = yield* statementsOf(path)
      expect([path, page.status]).toEqual([path, 200])
      taken.push([path, statements.length])
    }
    expect(taken).toEqual(pages)
  }).pipe(Effect.scoped),
)
