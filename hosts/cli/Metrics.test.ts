/** `/metrics` of real processes: what Prometheus' own checker and the guide say of it (hosts/cli/OPERATING.md). */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const manageKey = secrets.DESIGNWIRE_MANAGE_KEY

const noPromtool = spawnSync("promtool", ["--version"]).status === 0 ? undefined : "promtool is not installed"

/** The families of a scrape with their types and labels, `le` apart. */
const familiesOf = (text: string) => {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]))
  return new Map(
    [...types].map(([name, type]) => {
      const labels = new Set<string>()
      const lines = text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?{(.*)} `, "gm"))
      for (const [, all = ""] of lines) for (const [, label = ""] of all.matchAll(/(\w+)="/g)) labels.add(label)
      labels.delete("le")
      return [name, [type, [...labels].sort().join(", ")] as const]
    }),
  )
}

/** The families that the guide lists, likewise. */
const listed = () =>
  new Map(
    [
      ...readFileSync("hosts/cli/REFERENCE.md", "utf8").matchAll(
        /^\| `([a-z_0-9]+)` +\| (counter|gauge|histogram) +\| (.*?) *\|/gm,
      ),
    ].map(([, name = "", type = "", labels = ""]) => {
      const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label)
      return [name, [type, names.sort().join(", ")] as const]
    }),
  )

/** A service with a shop that has an endpoint, an order and a refused request, and a worker apart. */
const scrapes = Effect.gen(function* () {
  const DATABASE_URL = yield* migratedDatabase
  const environment = {
    ...{ ...secrets, ...localReceivers, DATABASE_URL, DESIGNWIRE_METRICS_SHOPS: "acme,globex" },
    DESIGNWIRE_SHOPIFY_SECRET: "shpss_0123456789abcdef",
  }
  const serving = yield* start(["serve"], environment)
  const [, base = ""] = yield* serving.line(/is ready at (http:\S+)/)
  const early = (yield* send("GET", `${base}/metrics`)).text
  const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://images.example.com", plan: "pro" }
  const at = `${base}/manage/v1/shops/acme`
  yield* send("PUT", at, { token: manageKey, body: shop })
  const receiver = yield* webhookReceiver(() => Effect.succeed(204))
  const made = yield* send("POST", `${at}/webhooks`, { token: manageKey, body: { url: receiver.url("/") } })
  const { id } = made.json() as { id: string }
  expect((yield* send("POST", `${at}/webhooks/${id}/test`, { token: manageKey })).status).toBe(202)
  yield* receiver.until(() => receiver.requests.length > 0)
  const settled = Effect.map(send("GET", `${base}/metrics`), ({ text }) => text.includes("worker_settle_seconds_count"))
  yield* Effect.repeat(Effect.delay(settled, "20 millis"), { until: (isSettled) => isSettled })
  for (let index = 0; index < 13; index++) yield* send("GET", `${base}/manage/v1/shops`, { token: `wrong-${index}` })
  yield* send("GET", `${base}/api/v1/orders`, { token: "cmz_unknown" })
  const working = yield* start(["worker"], { ...environment, DESIGNWIRE_WORKER_PORT: "0" })
  const [, probes = ""] = yield* working.line(/Probes and metrics listen at (http:\S+)/)
  yield* working.line(/worker is ready/)
  expect((yield* send("GET", `${probes}/readyz`)).status).toBe(200)
  expect((yield* send("GET", `${probes}/livez`)).status).toBe(200)
  expect((yield* send("GET", `${probes}/manage/v1/shops`, { token: manageKey })).status).toBe(404)
  const [served, worked] = yield* Effect.all([send("GET", `${base}/metrics`), send("GET", `${probes}/metrics`)])
  const texts = { early, served: served.text, worked: worked.text }
  expect((yield* stop(working)).code).toBe(0)
  expect((yield* stop(serving)).code).toBe(0)
  return texts
})

it.live("MUST serve metrics that the guide lists, from both commands, and counters from 0 (D85)", () =>
  Effect.gen(function* () {
    const { early, served, worked } = yield* scrapes
    expect(served).toMatch(/^designwire_http_requests_total{method="GET",route="\/api\/v1\/orders",status="401"} 1$/m)
    expect(served).toMatch(
      /^designwire_http_request_seconds_count{method="PUT",route="\/manage\/v1\/shops\/:shop"} 1$/m,
    )
    expect(served).toMatch(/^designwire_shop_deliveries_pending{shop="acme"} 0$/m)
    expect(worked).toMatch(/^designwire_worker_slots 64$/m)
    expect(served).toMatch(/^designwire_platform_events_in_trouble{state="failed"} 0$/m)
    expect(served).toMatch(/^designwire_platform_events_in_trouble{state="waiting"} 0$/m)
    const families = new Map([...familiesOf(worked), ...familiesOf(served)])
    const guide = listed()
    const unlisted = [...families].filter(([name, [type, labels]]) => {
      const [known, possible = ""] = guide.get(name) ?? []
      return known !== type || labels.split(", ").some((label) => label !== "" && !possible.split(", ").includes(label))
    })
    expect(unlisted).toEqual([])
    // Only with TLS to the database, which these processes don't have.
    const later = ["designwire_database_certificate_expiry_seconds"]
    expect([...guide.keys()].filter((name) => !families.has(name) && !later.includes(name))).toEqual([])
    // Before anything has happened, every counter is there, at 0.
    const counters = [...guide].filter(([name, [type]]) => type === "counter" && name.startsWith("designwire_"))
    const begun = [...familiesOf(early)].map(([name]) => name)
    expect(counters.map(([name]) => name).filter((name) => !begun.includes(name))).toEqual([])
    const failed = [...early.matchAll(/^designwire_\w+_total\S* (\d+)$/gm)].filter(([, count]) => count !== "0")
    expect(failed.map(([line]) => line).filter((line) => !line.startsWith("designwire_http_requests_total"))).toEqual(
      [],
    )

    // The tests of alerts must have series as processes show them, with the labels that Prometheus adds.
    const tests = readFileSync("hosts/cli/deploy/prometheus/rules.test.yml", "utf8")
    const own = [...tests.matchAll(/series: '(\w+)(?:{(.*)})?'/g)].map(([, name = "", labels = ""]) => ({
      name,
      labels: labels.split(",").filter((label) => label !== "" && !/^(instance|job)=/.test(label)),
    }))
    expect(own.length).toBeGreaterThan(50)
    const shown = [early, served, worked].join("\n")
    const isShown = ({ labels, name }: (typeof own)[number]) => {
      // Of routes only those that were asked for are shown, with the statuses that they were answered with.
      const isOpen = labels.some((label) => label.startsWith("route="))
      const expected = labels.map((label) => (isOpen ? label.replace(/=.*/, '="[^"]*"') : label)).join(",")
      return new RegExp(`^${name}${labels.length === 0 ? "" : `{${expected}}`} `, "m").test(shown)
    }
    const missing = own.filter((series) => !isShown(series) && series.name !== "up" && !later.includes(series.name))
    expect([...new Set(missing.map(({ labels, name }) => `${name}{${labels.join()}}`))]).toEqual([])
  }),
)

it("every counter MUST be declared where it is shown from 0 (D85)", () => {
  const sources = ["core", "adapters", "hosts"].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`).filter((path) => !path.endsWith(".test.ts") && !path.includes("node_modules")),
  )
  expect(sources.filter((path) => readFileSync(path, "utf8").includes("Metric.counter(")).toSorted()).toEqual([
    "core/model/log/Counters.ts",
    // Of the process: read with each scrape.
    "hosts/server/ProcessMetrics.ts",
  ])
})

const wellFormed = "promtool MUST find nothing wrong with the metrics"
if (noPromtool === undefined) {
  it.live(wellFormed, () =>
    Effect.gen(function* () {
      for (const input of Object.values(yield* scrapes)) {
        const { status, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" })
        expect([status, stdout, stderr]).toEqual([0, "", ""])
      }
    }),
  )
} else it.live.skip(`${wellFormed}. Left out: ${noPromtool}`, () => Effect.void)
