import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { stop } from "../../conformance/testkit/processes/Processes.ts"
import {
  host,
  newEndpoint,
  newShop,
  order,
  standby,
  type WorkerProcess,
} from "../../conformance/testkit/workers/Fleet.ts"
import {
  type Received,
  type WebhookReceiver,
  webhookReceiver,
} from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { type Health, newHealth } from "../../core/model/Health.ts"
import { isSuccess } from "../../core/rules/webhooks/DeliveryState.ts"
import * as EndpointState from "../../core/rules/webhooks/EndpointState.ts"

const kills = inject("wholeMatrix") ? 50 : 5
const concurrency = 4
const options = { concurrency, lease: 6000, schedule: [100, 200, 300, 300, 300, 300] }

/** The path of an endpoint that never responds with a success. */
const refusing = "/refusing"

/**
 * Records every settled attempt, in the order in which its endpoint was locked, and every dropped delivery: the workers
 * prune the log itself.
 */
const keepJournal = SqlClient.SqlClient.use((sql) =>
  Effect.forEach(
    [
      `CREATE TABLE journal (place bigserial, shop text, delivery_id text, attempt jsonb)`,
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO journal (shop, delivery_id, attempt) VALUES (NEW.shop, NEW.id, NEW.attempt_log -> -1);
  RETURN NEW;
END $$`,
      `CREATE TRIGGER keep AFTER UPDATE ON designwire.deliveries
FOR EACH ROW WHEN (NEW.attempt_log <> OLD.attempt_log) EXECUTE FUNCTION keep()`,
      `CREATE TABLE dropped (LIKE designwire.deliveries)`,
      `CREATE FUNCTION keep_dropped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dropped SELECT OLD.*;
  RETURN OLD;
END $$`,
      `CREATE TRIGGER keep_dropped BEFORE DELETE ON designwire.deliveries FOR EACH ROW EXECUTE FUNCTION keep_dropped()`,
      `CREATE VIEW all_deliveries AS SELECT * FROM designwire.deliveries UNION ALL SELECT * FROM dropped`,
    ],
    (statement) => sql.unsafe(statement),
    { discard: true },
  ),
)

interface Settled {
  readonly deliveryId: string
  readonly endpointId: string
  readonly number: number
  readonly statusCode: number | null
  readonly mark: string | null
  readonly endedAt: number
}

const journal = SqlClient.SqlClient.use(
  (
    sql,
  ) => sql<Settled>`SELECT j.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", a.number, a."statusCode", a."responseStart" AS mark,
  (a.at + a."durationMs")::float8 AS "endedAt"
FROM journal j CROSS JOIN LATERAL jsonb_to_record(j.attempt)
  AS a (number int4, "statusCode" int4, "responseStart" text, at int8, "durationMs" int4) JOIN all_deliveries d ON d.shop = j.shop AND d.id = j.delivery_id ORDER BY j.place`,
)

const deliveries = SqlClient.SqlClient.use(
  (sql) => sql<{ id: string; path: string; status: string; attempts: number; held: boolean }>`SELECT d.id,
  regexp_replace(e.url, '.*/', '/') AS path, d.status, d.attempts, e.status <> 'active' AS held
FROM all_deliveries d JOIN designwire.endpoints e ON e.shop = d.shop AND e.id = d.endpoint_id`,
)

const endpoints = SqlClient.SqlClient.use(
  (sql) => sql<{ id: string; url: string; status: "active" | "switched_off"; streak: number; off: number | null }>`
SELECT id, url, status, consecutive_failures AS streak, (extract(epoch FROM switched_off_at) * 1000)::float8 AS off
FROM designwire.endpoints`,
)

/** The counts of attempts by endpoint and hour, as `endpoint hour`: stored ones, and those of the journal. */
const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = "succeeded, failed, given_up"
  const order = "ORDER BY endpoint_id, hour"
  return {
    stored: yield* sql.unsafe(`SELECT endpoint_id, hour::text, succeeded::int, failed_attempts::int AS failed,
  given_up::int FROM designwire.attempt_counts ${order}`),
    made: yield* sql.unsafe(`SELECT endpoint_id, hour::text, ${columns} FROM (
  SELECT d.endpoint_id, date_trunc('hour', to_timestamp((j.attempt ->> 'at')::float8 / 1000), 'UTC') AS hour,
    (count(*) FILTER (WHERE s.success))::int AS succeeded, (count(*) FILTER (WHERE NOT s.success))::int AS failed,
    (count(*) FILTER (WHERE NOT s.success AND (j.attempt ->> 'number')::int = ${options.schedule.length + 1}))::int
      AS given_up
  FROM journal j JOIN all_deliveries d ON d.shop = j.shop AND d.id = j.delivery_id
    CROSS JOIN LATERAL (SELECT j.attempt ->> 'statusCode' = '200' AS success) s
  GROUP BY 1, 2) made ${order}`),
  }
})

/** Starts a receiver at which one of five deliveries fails at first, half of these twice. */
const unreliableReceiver = Effect.suspend(() => {
  const tries = new Map<string, number>()
  return webhookReceiver(({ deliveryId, number, path }) => {
    const made = (tries.get(deliveryId) ?? 0) + 1
    tries.set(deliveryId, made)
    const failures = path === refusing ? Number.POSITIVE_INFINITY : [0, 0, 0, 0, 0, 0, 0, 0, 1, 2][digit(deliveryId)]
    const status = made <= (failures ?? 0) ? (number % 3 === 0 ? 302 : 500) : 200
    return Effect.delay(Effect.succeed(status), 100 + ((number * 37) % 400))
  })
})

type Killed = ReadonlyMap<string, { readonly open: number }>

/**
 * Places orders and kills workers by SIGKILL meanwhile, until everything is delivered. Returns what was open at each
 * kill.
 */
const placeAndKill = Effect.fnUntraced(function* (
  url: string,
  receiver: WebhookReceiver,
  shops: ReadonlyArray<string>,
) {
  const arrived = () => receiver.requests.filter(({ path, status }) => path !== refusing && status === 200).length

  // Replacements stand by: each takes the place of a killed worker at once.
  const ready = yield* Queue.bounded<WorkerProcess>(2)
  const starting = yield* standby(url, options).pipe(
    Effect.flatMap((worker) => Queue.offer(ready, worker)),
    Effect.forever,
    Effect.forkScoped,
  )
  const replace = Effect.tap(Queue.take(ready), ({ begin }) => begin)
  const working = [yield* replace, yield* replace, yield* replace]

  let placed = 0
  let ending = false
  const placing = yield* Effect.gen(function* () {
    while (!ending) {
      yield* order(shops[placed % 3] as string, `${placed}`)
      placed++
      // Enough to keep every worker busy, including deliveries that wait until the lease of a dead worker ends.
      yield* receiver.until(() => ending || (placed * 5) / 3 - arrived() < 100)
    }
  }).pipe(Effect.forkScoped)

  const killed = new Map<string, { readonly open: number }>()
  while (killed.size < kills) {
    const index = Math.floor(Math.random() * working.length)
    const victim = working[index] as WorkerProcess
    const openOf = () => [...receiver.open].filter(({ worker }) => worker === victim.name).length
    yield* Effect.sleep(Math.random() * 100)
    yield* receiver.until(() => openOf() > 0)
    killed.set(victim.name, { open: openOf() })
    victim.child.kill("SIGKILL")
    working[index] = yield* replace
  }
  yield* Fiber.interrupt(starting)
  ending = true
  yield* Fiber.join(placing)

  const open = Effect.map(deliveries, (rows) => rows.filter((row) => row.status === "pending" && !row.held))
  yield* Effect.repeat(Effect.delay(open, 200), { until: (rows) => rows.length === 0 })
  for (const worker of working) expect((yield* stop(worker)).code).toBe(0)
  return { killed, placed }
})

type Rows = Effect.Success<typeof deliveries>

/** Every event arrived, signed and with the same bytes each time, at every endpoint of its shop. */
const expectArrived = (rows: Rows, { requests }: WebhookReceiver, placed: number): void => {
  expect(rows.length).toBeGreaterThan(placed)
  expect(requests.every(({ signed }) => signed)).toBe(true)
  const byDelivery = Map.groupBy(requests, ({ deliveryId }) => deliveryId)
  for (const { id, path, status } of rows) {
    const received = byDelivery.get(id) ?? []
    expect(new Set(received.map(({ body }) => body)).size).toBeLessThanOrEqual(1)
    if (path === refusing) continue
    expect(status).toBe("succeeded")
    expect(received.some((request) => request.status === 200)).toBe(true)
  }
}

/** Requests that the log lacks were in flight when their worker was killed, or had ended and were not settled. */
const expectFewLost = (settled: ReadonlyArray<Settled>, { overlaps, requests }: WebhookReceiver, killed: Killed) => {
  const marks = new Set(settled.map(({ mark }) => mark))
  expect(marks.size).toBe(settled.length)
  const lost = requests.filter(({ number }) => !marks.has(String(number)))
  expect(requests.length).toBe(settled.length + lost.length)
  const lostBy = Map.groupBy(lost, ({ worker }) => worker)
  expect([...lostBy.keys()].filter((worker) => !killed.has(worker))).toEqual([])
  expect([...lostBy.values()].filter((requests) => requests.length > 2 * concurrency)).toEqual([])
  expect(repeated(Map.groupBy(requests, ({ deliveryId }) => deliveryId))).toBeLessThanOrEqual(lost.length)
  expect([...killed.values()].every(({ open }) => open > 0)).toBe(true)
  // No worker took a delivery while another one attempted it.
  expect(overlaps).toEqual([])
}

/** The attempts of each delivery are numbered without gaps, and the first success is the last attempt. */
const expectNumbered = (rows: Rows, settled: ReadonlyArray<Settled>, { requests }: WebhookReceiver): void => {
  const attempts = Map.groupBy(settled, ({ deliveryId }) => deliveryId)
  for (const row of rows) {
    const made = attempts.get(row.id) ?? []
    expect(made.map(({ number }) => number)).toEqual(made.map((_, index) => index + 1))
    expect(row.attempts).toBe(made.length)
    expect(made.slice(0, -1).some(isSuccess)).toBe(false)
    expect(row.status === "succeeded").toBe(made.some(isSuccess))
    if (row.status === "failed") expect(made.length).toBe(options.schedule.length + 1)
    for (const { mark, statusCode } of made) {
      expect(requests[Number(mark) - 1]).toMatchObject({ deliveryId: row.id, status: statusCode })
    }
  }
}

/** The streak of each endpoint follows from its attempts, one after the other. */
const expectStreaks = (rows: Effect.Success<typeof endpoints>, settled: ReadonlyArray<Settled>): void => {
  for (const { id, off, status, streak, url } of rows) {
    const health = settled
      .filter(({ endpointId }) => endpointId === id)
      .reduce<Health>(
        (before, made) =>
          EndpointState.afterAttempt(before, {
            test: false,
            success: isSuccess(made),
            endedAt: made.endedAt,
            durationMs: 0,
          }),
        newHealth,
      )
    expect({ status, consecutiveFailures: streak, switchedOffAt: off }).toEqual({
      status: health.status,
      consecutiveFailures: health.consecutiveFailures,
      switchedOffAt: health.switchedOffAt,
    })
    expect(status).toBe(url.endsWith(refusing) ? "switched_off" : "active")
  }
}

it.live(
  "three workers MUST lose no event over many SIGKILLs, repeat at most twice their slots, and keep consistent logs",
  () =>
    Effect.gen(function* () {
      const receiver = yield* unreliableReceiver
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        yield* keepJournal
        const shops = yield* Effect.forEach([0, 1, 2], () => newShop)
        const paths = ["/a", "/b", "/c", "/d", "/e", refusing]
        for (const [index, path] of paths.entries()) yield* newEndpoint(shops[index % 3] as string, receiver, path)
        const { killed, placed } = yield* placeAndKill(url, receiver, shops)
        const [rows, settled] = [yield* deliveries, yield* journal]
        expectArrived(rows, receiver, placed)
        expectFewLost(settled, receiver, killed)
        expectNumbered(rows, settled, receiver)
        expectStreaks(yield* endpoints, settled)
        // Counts are stored with the settlement of their attempt, or not at all.
        const { made, stored } = yield* counts
        expect(stored.length).toBeGreaterThan(0)
        expect(stored).toEqual(made)
      }).pipe(Effect.provide(host(url)))
    }),
  600_000,
)

/** A digit that is always the same for a delivery. */
const digit = (deliveryId: string): number =>
  [...deliveryId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 10

/** The number of successful requests beyond the first of each delivery. */
const repeated = (requests: ReadonlyMap<string, ReadonlyArray<Received>>): number =>
  [...requests.values()].reduce(
    (sum, received) => sum + Math.max(0, received.filter(({ status }) => status === 200).length - 1),
    0,
  )
