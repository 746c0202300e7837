/** The alerts, the dashboard that shows the same metrics, and the runbook (hosts/cli/RUNBOOK.md). */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerClient } from "../../../adapters/postgres/index.ts"
import { migratedDatabase } from "../../../conformance/testkit/databases/Database.ts"
import dashboard from "./grafana/dashboards/designwire.json" with { type: "json" }

const here = import.meta.dirname
const read = (path: string) => readFileSync(join(here, path), "utf8")
const rules = read("prometheus/rules.yml")
const cases = read("prometheus/rules.test.yml")
const runbook = read("../RUNBOOK.md")
const compose = read("compose.yaml")

const directory = mkdtempSync(join(tmpdir(), "designwire-alerts-"))
afterAll(() => rmSync(directory, { recursive: true }))

const promtool = (...parameters: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync("promtool", parameters, { cwd: join(here, "prometheus") })
  return { status, text: `${stdout}${stderr}` }
}
const noPromtool = spawnSync("promtool", ["--version"]).status === 0 ? undefined : "promtool is not installed"
const withPromtool = (title: string) => (noPromtool === undefined ? title : `${title}. Left out: ${noPromtool}`)

/** The names of the alerts with their texts. */
const alerts = new Map(
  rules
    .split(/^ +- alert: /m)
    .slice(1)
    .map((text) => [/^\w+/.exec(text)?.[0] ?? "", text]),
)

/** Expressions of the dashboard, with an interval in place of Grafana's variable. */
const expressions = [
  ...dashboard.panels.flatMap((panel) => ("targets" in panel ? (panel.targets ?? []) : [])),
  ...dashboard.annotations.list,
].map(({ expr }) => expr.replaceAll("$__rate_interval", "1m"))

/** The metrics of the service that a text names. */
const namesIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:designwire|process|nodejs)_[a-z0-9_]+(?=[\s{[)])/g)].map(([name]) => name))

/** The names that the guide lists, which hosts/cli/Metrics.test.ts compares with what processes show. */
const listed = new Set(
  [...read("../REFERENCE.md").matchAll(/^\| `([a-z_0-9]+)` +\| (counter|gauge|histogram) +\|/gm)].flatMap(
    ([, name = "", type]) =>
      type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : name,
  ),
)

const section = (name: string) =>
  runbook
    .split(/^(?=##+ )/m)
    .find((text) => text.startsWith(`### ${name}\n`))
    ?.split("\n")

describe("every alert", () => {
  it.skipIf(noPromtool !== undefined)(withPromtool("MUST fire when it should, and otherwise not"), () => {
    expect(promtool("test", "rules", "rules.test.yml")).toMatchObject({ status: 0 })
    expect(promtool("check", "config", "prometheus.yml")).toMatchObject({ status: 0 })
  })

  it.each([...alerts.keys()])("MUST have a case in which it fires, and one in which it does not: %s", (name) => {
    const own = cases.split(/^ +- name: /m).filter((text) => text.includes(` alertname: ${name}\n`))
    const isQuiet = own.map((text) => text.includes(" exp_alerts: []\n"))
    expect(new Set(isQuiet)).toEqual(new Set([true, false]))
  })

  it.each([...alerts])(
    "MUST have a place in the runbook that says what to do, and when it is over: %s (D57)",
    (name, text) => {
      expect(text).toContain(`runbook: hosts/cli/RUNBOOK.md#${name.toLowerCase()}\n`)
      const lines = section(name)
      expect(lines?.filter((line) => line.startsWith("**Means**"))).toHaveLength(1)
      expect(lines?.filter((line) => line.startsWith("1. "))).toHaveLength(1)
      expect(lines?.filter((line) => line.startsWith("**Over**"))).toHaveLength(1)
    },
  )
})

it("the runbook MUST NOT have an alert that is gone", () => {
  const names = [...runbook.matchAll(/^### (Designwire\w+)$/gm)].map(([, name]) => name)
  expect(names).toEqual([...alerts.keys()])
})

it.live("every statement of the runbook MUST run", () =>
  Effect.gen(function* () {
    const statements = [...runbook.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, statement = ""]) => statement)
    expect(statements.length).toBeGreaterThan(4)
    const client = layerClient({ url: Redacted.make(yield* migratedDatabase), maxConnections: 1 })
    const sql = Layer.build(client).pipe(Effect.flatMap((context) => Effect.provide(SqlClient.SqlClient, context)))
    const { unsafe } = yield* sql
    for (const statement of statements) yield* unsafe(statement)
  }).pipe(Effect.scoped),
)

describe("the dashboard", () => {
  it("MUST show metrics that the service has, as alerts do", () => {
    expect([...namesIn(rules), ...namesIn(expressions.join("\n"))].filter((name) => !listed.has(name))).toEqual([])
    expect([...alerts].filter(([, text]) => !/\bup\{/.test(text) && namesIn(text).size === 0)).toEqual([])
    expect(expressions.filter((text) => !text.includes("ALERTS{") && namesIn(text).size === 0)).toEqual([])
  })

  it.skipIf(noPromtool !== undefined)(withPromtool("MUST ask what Prometheus understands"), () => {
    const check = (all: ReadonlyArray<string>) => {
      const recorded = all.map((expr, index) => ({ record: `panel:${index}`, expr }))
      const path = join(directory, "panels.json")
      writeFileSync(path, JSON.stringify({ groups: [{ name: "panels", rules: recorded }] }))
      return promtool("check", "rules", path)
    }
    expect(check(expressions)).toMatchObject({ status: 0 })
    expect(check([...expressions, "sum(rate(x[1m])"])).toMatchObject({ status: 1 })
  })

  it("MUST be where Grafana looks in the Compose file, with the source of data that Prometheus is there", () => {
    const [, path] = /^ +path: (\S+)$/m.exec(read("grafana/provisioning/dashboards/designwire.yml")) ?? []
    expect(compose).toContain(`- ./grafana/dashboards:${path}:ro\n`)
    expect(compose).toContain("- ./grafana/provisioning:/etc/grafana/provisioning:ro\n")
    const [, host] = /^ +url: http:\/\/(\w+):9090$/m.exec(read("grafana/provisioning/datasources/prometheus.yml")) ?? []
    expect(compose).toMatch(new RegExp(`^ {2}${host}:\n {4}image: prom/prometheus:`, "m"))
  })

  it("MUST name each panel, once, without overlaps", () => {
    const titles = dashboard.panels.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    const named = [...runbook.matchAll(/Dashboard,\s+"([^"]+)"/g)].map(([, title = ""]) => title.replace(/\s+/, " "))
    expect(named.length).toBeGreaterThan(4)
    expect(titles).toEqual(expect.arrayContaining(named))
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})
