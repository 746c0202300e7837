/** `designwire import` and `designwire export` as processes (D75). */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { customizers, ringInput, shopInput } from "../../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { runHere } from "../../../conformance/testkit/processes/InProcess.ts"
import { type Ended, run, start, temporaryDirectory } from "../../../conformance/testkit/processes/Processes.ts"
import { host } from "../../../conformance/testkit/workers/Fleet.ts"
import { readDesign } from "../../../core/usecases/catalog/ReadDesign.ts"
import { saveDesign } from "../../../core/usecases/catalog/SaveDesign.ts"
import { listEvents } from "../../../core/usecases/events/ReadEvents.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { readOrder } from "../../../core/usecases/orders/ReadOrders.ts"
import { putShop } from "../../../core/usecases/shops/ManageShops.ts"
import { recover } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { createEndpoint } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { bulkCommands } from "./Commands.ts"

const shop = "acme"

const designwire = Command.make("designwire").pipe(Command.withSubcommands(bulkCommands))

/** A shop in a database of its own, the command on it, and a function that writes a file of lines. */
const stage = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const directory = yield* temporaryDirectory
  const environment = { DATABASE_URL: url }
  yield* Effect.provide(putShop(shop, shopInput), host(url))
  return {
    url,
    environment,
    asProcess: (...parameters: ReadonlyArray<string>) => run([...parameters, "--shop", shop], environment),
    /** The command within this process. Exports are written to the standard output of one of their own. */
    command: (...parameters: ReadonlyArray<string>) =>
      runHere(Command.runWith(designwire, { version: "0" })([...parameters, "--shop", shop]), environment),
    file: (name: string, lines: ReadonlyArray<unknown>) => {
      const path = join(directory, name)
      const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
      writeFileSync(path, texts.map((text) => `${text}\n`).join(""))
      return path
    },
  }
})

const designs = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `d-${index}`, ...ringInput }))

const orderedAt = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString()

/** Orders of two designs each. */
const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    name: index === 0 ? "=1+1" : `#${index}`,
    orderedAt: orderedAt(index),
    lines: [0, 1].map((line) => ({ designId: `d-${2 * index + line}`, lineItemId: `${line}` })),
  }))

const jsonLines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

it.live("import MUST read customizers, designs and orders, and change nothing the second time (D75)", () =>
  Effect.gen(function* () {
    const { asProcess, command, file, url } = yield* stage
    const files = [
      ["customizers", file("customizers.jsonl", customizers), 3],
      ["designs", file("designs.jsonl", designs(20)), 20],
      ["orders", file("orders.jsonl", orders(10)), 10],
    ] as const
    const stored = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        versions: yield* sql`SELECT customizer_id, version FROM designwire.customizer_versions ORDER BY 1, 2`,
        designs: yield* sql`SELECT id, etag, revision FROM designwire.designs ORDER BY id`,
        orders: yield* sql`SELECT id, etag, revision FROM designwire.orders ORDER BY id`,
        events: yield* sql`SELECT id, event FROM designwire.events ORDER BY id`,
      }
    }).pipe(Effect.provide(host(url)))
    const importAll = (how: (...parameters: ReadonlyArray<string>) => Effect.Effect<Pick<Ended, "code" | "stdout">>) =>
      Effect.forEach(files, ([kind, path, count]) =>
        Effect.map(how("import", kind, path), ({ code, stdout }) => {
          expect([code, stdout]).toEqual([0, `Imported ${count} ${kind}, rejected 0\n`])
          expect(existsSync(`${path}.progress`)).toBe(false)
        }),
      )
    yield* importAll(asProcess)
    const first = yield* stored
    expect([first.designs.length, first.orders.length, first.events.length]).toEqual([20, 10, 40])
    yield* importAll(command)
    expect(yield* stored).toEqual(first)
  }),
)

it.live(
  "import --quiet MUST put history into feed and API, and send it to no endpoint, made before or after (D75)",
  () =>
    Effect.gen(function* () {
      const { command, file, url } = yield* stage
      const made = (path: string) =>
        createEndpoint(shop, { url: `https://93.184.216.34/${path}`, events: ["design.created", "design.ordered"] })
      const {
        endpoint: { id },
      } = yield* Effect.provide(made("before"), host(url))
      const described = yield* command("import", "customizers", file("customizers.jsonl", customizers))
      expect(described).toMatchObject({ code: 0, stderr: "" })
      const saved = yield* command("import", "designs", file("designs.jsonl", designs(4)), "--quiet")
      expect([saved.code, saved.stdout, saved.stderr]).toEqual([0, "Imported 4 designs, rejected 0\n", ""])
      const placed = yield* command("import", "orders", file("orders.jsonl", orders(2)), "--quiet")
      expect([placed.code, placed.stdout]).toEqual([0, "Imported 2 orders, rejected 0\n"])
      yield* Effect.provide(made("after"), host(url))
      const counted = SqlClient.SqlClient.use(
        (sql) => sql`SELECT (SELECT count(*)::int4 FROM designwire.events) AS events,
  (SELECT count(*)::int4 FROM designwire.deliveries) AS deliveries`,
      ).pipe(Effect.provide(host(url)))
      expect(yield* counted).toEqual([{ events: 8, deliveries: 0 }])
      expect((yield* Effect.provide(readOrder(shop, "1"), host(url))).value.designs).toHaveLength(2)
      const { data } = (yield* Effect.provide(listEvents(shop, {}), host(url))).page.value
      const kinds = data.map(({ event }) => event)
      expect(kinds).toEqual([...Array(4).fill("design.created"), ...Array(4).fill("design.ordered")])
      // By hand they are sent.
      const since = "2026-01-01T00:00:00Z"
      expect(yield* Effect.provide(recover(shop, id, { since }), host(url))).toBe(8)
      expect(yield* counted).toEqual([{ events: 8, deliveries: 8 }])
    }),
)

it.live("import MUST pass over a byte order mark at the beginning of a file, and nowhere else (D75)", () =>
  Effect.gen(function* () {
    const { command, file } = yield* stage
    const mark = "\ufeff"
    const [first, ...others] = customizers.map((customizer) => JSON.stringify(customizer))
    const marked = file("customizers.jsonl", [`${mark}${first}`, ...others])
    expect(yield* command("import", "customizers", marked)).toMatchObject({
      ...{ code: 0, stdout: "Imported 3 customizers, rejected 0\n" },
    })
    const later = file("later.jsonl", [first, ...others.map((line) => `${mark}${line}`)])
    expect(yield* command("import", "customizers", later)).toMatchObject({
      ...{ code: 1, stdout: "Imported 1 customizers, rejected 2\n" },
    })
    // Without a line break at its end.
    writeFileSync(marked, `${mark}${first}`)
    expect((yield* command("import", "customizers", marked)).stdout).toBe("Imported 1 customizers, rejected 0\n")
  }),
)

it.live(
  "import MUST put lines that can't be imported into a file alongside, each with the reason (D75, D38a, D44a)",
  () =>
    Effect.gen(function* () {
      const { command, file, url } = yield* stage
      yield* command("import", "customizers", file("customizers.jsonl", customizers))
      const [good] = designs(1)
      const path = file("designs.jsonl", [
        "{",
        good,
        "[]",
        "",
        { ...ringInput },
        { ...good, id: "d-1", customizerId: 999 },
        { ...good, id: "d-2", colour: "red" },
        { ...good, id: "d-3", selection: { metal: "lead" } },
        { ...good, id: null },
        { ...good, id: 5 },
        { ...good, id: "d\u0000" },
        { ...good, id: "d-0", colour: "red" },
        `{"id":"d-4","selection":[${"1,".repeat(150_000)}1]}`,
        JSON.stringify({ ...good, id: "d-5", basePrice: 1 }).replace('"basePrice":1', '"basePrice":[9007199254740993]'),
      ])
      const { code, stderr, stdout } = yield* command("import", "designs", path)
      expect([code, stdout]).toEqual([1, "Imported 1 designs, rejected 12\n"])
      expect(stderr).toContain(`${path}.rejected`)
      const rejected = jsonLines(readFileSync(`${path}.rejected`, "utf8"))
      expect(rejected.map(({ line }) => line)).toEqual([1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
      expect(rejected[0].text).toBe("{")
      expect(rejected.map(({ reason }) => reason)).toEqual([
        expect.stringContaining("not JSON"),
        "The line is not a JSON object",
        "The object has no id",
        "The shop has no customizer 999",
        expect.stringContaining("colour"),
        expect.stringContaining("not allowed"),
        ...Array.from({ length: 3 }, () => expect.stringContaining("id")),
        expect.stringContaining("colour"),
        "The JSON has more than 150000 values",
        expect.stringMatching(/^The line is not allowed: basePrice\[0\]: .* not 9007199254740993/),
      ])
      expect(JSON.parse((yield* Effect.provide(readDesign(shop, "d-0"), host(url))).text).id).toBe("d-0")
      const missing = yield* run(["import", "designs", path, "--shop", "globex"], { DATABASE_URL: url })
      expect([missing.code, missing.stdout]).toEqual([1, ""])
      expect((yield* command("import", "designs", `${path}.none`)).stderr).toContain("There is no file")
    }),
)

it.live("import MUST continue where it was killed, and refuse a file that has changed meanwhile (D75)", () =>
  Effect.gen(function* () {
    const { command, environment, file, url } = yield* stage
    yield* command("import", "customizers", file("customizers.jsonl", customizers))
    const count = 4000
    const path = file("designs.jsonl", designs(count))
    const killed = yield* start(["import", "designs", path, "--shop", shop], environment)
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => existsSync(`${path}.progress`)),
        5,
      ),
      { until: (is) => is },
    )
    killed.child.kill("SIGKILL")
    yield* killed.ended
    const { lines } = JSON.parse(readFileSync(`${path}.progress`, "utf8"))
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(count)

    const whole = readFileSync(path)
    const another = Buffer.from(whole)
    another.write("0", whole.indexOf("d-99") + "d-9".length)
    for (const [bytes, reason] of [
      [Buffer.concat([whole, Buffer.from("{}\n")]), "has changed since"],
      [another, "has changed since"],
    ] as const) {
      writeFileSync(path, bytes)
      const changed = yield* command("import", "designs", path)
      expect([changed.code, changed.stdout]).toEqual([1, ""])
      expect(changed.stderr).toContain(reason)
    }
    writeFileSync(path, whole)
    const other = yield* command("import", "orders", path)
    expect([other.code, other.stdout]).toEqual([1, ""])
    expect(other.stderr).toContain(`as designs of the shop ${shop}`)

    const again = yield* command("import", "designs", path)
    expect(again).toMatchObject({ code: 0, stdout: `Imported ${count} designs, rejected 0\n` })
    expect(again.stderr).toContain(`Going on after line ${lines}`)
    const [row] = yield* Effect.provide(
      SqlClient.SqlClient.use(
        (sql) => sql`SELECT (SELECT count(*)::int4 FROM designwire.designs) AS designs,
  (SELECT count(*)::int4 FROM designwire.events) AS events`,
      ),
      host(url),
    )
    expect(row).toEqual({ designs: count, events: count })
  }),
)

/** The events of a kind, and the designs that they are about. */
const eventsOf = (kind: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ events: number; designs: number }>`SELECT count(*)::int4 AS events,
  count(DISTINCT design_id)::int4 AS designs FROM designwire.events WHERE event = ${kind}`,
  ).pipe(Effect.map(([row]) => row ?? { events: 0, designs: 0 }))

it.live("import MUST lose and double nothing if it is killed between the commits of its lines (D75)", () =>
  Effect.gen(function* () {
    const { command, environment, file, url } = yield* stage
    const [count, noted, held] = [900, 512, "d-600"]
    const lines = designs(count)
    const one = (id: string) => [{ designId: id, lineItemId: "1" }]
    const placed = lines.map(({ id }, index) => ({
      ...{ id: String(index), name: `#${index}`, orderedAt: orderedAt(0) },
      lines: one(id),
    }))
    const parts = [
      {
        kind: "designs",
        path: file("designs.jsonl", lines),
        event: "design.created",
        own: Effect.asVoid(saveDesign(shop, held, { ...ringInput, basePrice: 1 })),
        expected: `Imported ${count} designs, rejected 0\n`,
      },
      {
        kind: "orders",
        path: file("orders.jsonl", placed),
        event: "design.ordered",
        own: Effect.asVoid(placeOrder(shop, "own", { name: "#own", orderedAt: orderedAt(1), lines: one(held) })),
        expected: `Imported ${count - 1} orders, rejected 1\n`,
      },
    ] as const
    yield* command("import", "customizers", file("customizers.jsonl", customizers))
    for (const { event, expected, kind, own, path } of parts) {
      /** Kills the import once everything is stored but the lines of one commit, which waits for another call. */
      const killed = Effect.gen(function* () {
        const patient = { ...environment, DESIGNWIRE_LOCK_WAIT: "5m" }
        const running = yield* start(["import", kind, path, "--shop", shop], patient)
        const stored = Effect.provide(eventsOf(event), host(url))
        const allButOne = Effect.repeat(Effect.delay(stored, 50), { until: ({ events }) => events >= count - 64 })
        const early = Effect.flatMap(running.ended, () => Effect.die(new Error(`It ended: ${running.printed()}`)))
        yield* Effect.raceFirst(allButOne, early)
        running.child.kill("SIGKILL")
        yield* running.ended
        expect(JSON.parse(readFileSync(`${path}.progress`, "utf8")).lines).toBe(noted)
      })
      yield* SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.andThen(own, killed))).pipe(
        Effect.provide(host(url)),
      )
      const again = yield* command("import", kind, path)
      expect(again.stdout).toBe(expected)
      expect(again.stderr).toContain(`Going on after line ${noted}`)
      expect(yield* Effect.provide(eventsOf(event), host(url))).toEqual({ events: count, designs: count })
    }
    const design = yield* Effect.provide(readDesign(shop, held), host(url))
    expect(JSON.parse(design.text)).toMatchObject({
      price: { base: ringInput.basePrice },
      order: { id: "own" },
    })
  }),
)

it.live("export MUST leave no file that is not whole (D75)", () =>
  Effect.gen(function* () {
    const { command, file, url } = yield* stage
    const imported = [
      ["customizers", file("customizers.jsonl", customizers)],
      ["designs", file("designs.jsonl", designs(120))],
    ] as const
    for (const [kind, path] of imported) expect((yield* command("import", kind, path)).code).toBe(0)
    const out = imported[0][1].replace("customizers", "out")
    const broken = SqlClient.SqlClient.use(
      (sql) => sql`UPDATE designwire.designs SET wire = 'no object' WHERE id = 'd-99'`,
    )
    yield* Effect.provide(broken, host(url))
    const failed = yield* command("export", "designs", "--format", "csv", "--out", out)
    expect([failed.code, existsSync(out)]).toEqual([1, false])
  }),
)

it.live(
  "export MUST write the objects of the REST API, or a line for each design with its production codes (D75)",
  () =>
    Effect.gen(function* () {
      const { asProcess, command, file, url } = yield* stage
      yield* command("import", "customizers", file("customizers.jsonl", customizers))
      yield* command("import", "designs", file("designs.jsonl", designs(250)))
      yield* command("import", "orders", file("orders.jsonl", orders(110)))

      const written = yield* asProcess("export", "orders")
      expect([written.code, written.stderr]).toEqual([0, ""])
      const texts = written.stdout.split("\n").slice(0, -1)
      expect(texts.map((text) => JSON.parse(text).id)).toEqual(
        Array.from({ length: 110 }, (_, index) => `${109 - index}`),
      )
      const read = yield* Effect.provide(readOrder(shop, "109"), host(url))
      expect(texts[0]).toBe(read.text)
      expect(jsonLines((yield* asProcess("export", "designs")).stdout)).toHaveLength(250)

      const since = orderedAt(108)
      const recent = yield* asProcess("export", "orders", "--since", since)
      expect(jsonLines(recent.stdout).map(({ id }) => id)).toEqual(["109", "108"])
      expect((yield* asProcess("export", "designs", "--since", "2099-01-01")).stdout).toBe("")
      const wrong = yield* command("export", "orders", "--since", "yesterday")
      expect([wrong.code, wrong.stdout]).toEqual([1, ""])

      const table = (yield* asProcess("export", "orders", "--format", "csv")).stdout.split("\r\n")
      const heading = table[0]?.split(",") ?? []
      expect(heading.slice(0, 6)).toEqual([
        ...["\ufeffdesign_id", "status", "order_id", "order_name", "line_item_id", "ordered_at"],
      ])
      const codes = heading.filter((name) => name.startsWith("production."))
      expect(codes.length).toBeGreaterThan(1)
      expect(table).toHaveLength(1 + 220 + 1)
      const fields = table.at(-3)?.split(",") ?? []
      expect(fields.slice(0, 5)).toEqual(["d-0", "ordered", "0", "'=1+1", "0"])
      const [{ productionData }] = JSON.parse(texts.at(-1) ?? "").designs
      for (const { key, value } of productionData) expect(fields[heading.indexOf(`production.${key}`)]).toBe(value)

      const kept = file("kept.csv", ["of somebody"])
      const out = kept.replace("kept", "out")
      expect(yield* command("export", "designs", "--format", "csv", "--out", out)).toMatchObject({
        code: 0,
        stdout: "",
      })
      expect(readFileSync(out, "utf8").split("\r\n")).toHaveLength(1 + 250 + 1)
      const refused = yield* command("export", "designs", "--out", kept)
      expect(refused).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `${kept} exists already: name another file, or remove it\n`,
      })
      expect(readFileSync(kept, "utf8")).toBe("of somebody\n")
    }),
)
