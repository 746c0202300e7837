import { Pace } from "designwire"
import type { Claim, ClaimRequest, DeliveryRecord, EndpointRecord } from "designwire/ports"
import type { Database } from "./Database.ts"
import { endpointOf, eventOf, plannedOf, storePlanned } from "./Deliveries.ts"

/** A claimable delivery. */
interface Due {
  readonly shop: string
  readonly endpoint: string
  readonly id: string
  readonly due: number
}

/** Due deliveries of each endpoint of a standing, the longest due first, by shop in the order of their names. */
const dueByShop = (database: Database, { limit, now, shops }: ClaimRequest, standing: keyof ClaimRequest["shops"]) => {
  const byShop = new Map<string, Map<string, Array<Due>>>()
  for (const shop of shops[standing]) {
    const rows = database.all<Due>(
      `SELECT shop, endpoint, id, due FROM (
         SELECT *, row_number() OVER (PARTITION BY endpoint ORDER BY due, id) AS place FROM sendable
         WHERE shop = ? AND standing = ? AND due <= ? AND leased_until <= ?
       ) WHERE place <= ? ORDER BY due, id`,
      ...[shop, standing, now, now, limit],
    )
    const endpoints = new Map<string, Array<Due>>()
    for (const row of rows) endpoints.set(row.endpoint, [...(endpoints.get(row.endpoint) ?? []), row])
    byShop.set(shop, endpoints)
  }
  return byShop
}

/** Attempts under way by shop and endpoint. */
class UnderWay {
  readonly #counts = new Map<string, number>()

  add(shop: string, endpoint: string, attempts = 1): void {
    for (const key of [shop, `${shop} ${endpoint}`]) this.#counts.set(key, this.of(key) + attempts)
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}

/** Implements `DeliveryQueue.claim`: one delivery of each named shop after the other, until the limit or the end. */
export const claim = (database: Database, request: ClaimRequest): ReadonlyArray<Claim> => {
  const underWay = new UnderWay()
  for (const { attempts, endpointId, shop } of request.busy) underWay.add(shop, endpointId, attempts)

  const takeInTurn = (kind: keyof ClaimRequest["shops"], limit: number, perEndpoint: number): ReadonlyArray<Claim> => {
    const taken: Array<Claim> = []
    const byShop = dueByShop(database, request, kind)
    const rounds = kind === "proven" ? Number.POSITIVE_INFINITY : perEndpoint
    for (let round = 0, before = -1; round < rounds && before < taken.length && taken.length < limit; round++) {
      before = taken.length
      for (const [shop, endpoints] of byShop) {
        if (taken.length === limit) break
        if (underWay.of(shop) >= request.perShop) continue
        // Fewest attempts under way first, then longest due.
        const [queue] = [...endpoints]
          .map(([endpoint, deliveries]) => ({ deliveries, busy: underWay.of(`${shop} ${endpoint}`) }))
          .filter(({ busy, deliveries }) => deliveries.length > 0 && busy < perEndpoint)
          .filter(({ deliveries: [first] }) => first !== undefined && hasRoom(database, first, request.now))
          .sort((one, two) => one.busy - two.busy || compare(one.deliveries[0], two.deliveries[0]))
        const next = queue?.deliveries.shift()
        if (next === undefined) continue
        taken.push(hold(database, next, request))
        underWay.add(shop, next.endpoint)
      }
    }
    return taken
  }

  const { limit, probation } = request
  const unproven = Math.min(limit, probation.limit)
  const newcomers = takeInTurn("newcomer", unproven, probation.perEndpoint)
  const forTroubled = Math.min(probation.troubled, unproven - newcomers.length)
  const first = [...newcomers, ...takeInTurn("troubled", forTroubled, probation.perEndpoint)]
  return [...first, ...takeInTurn("proven", limit - first.length, request.perEndpoint)]
}

const compare = (one: Due | undefined, two: Due | undefined): number => {
  if (one === undefined || two === undefined) return 0
  return one.due - two.due || Buffer.compare(Buffer.from(one.id), Buffer.from(two.id))
}

/** Whether the pace of its endpoint lets a delivery be claimed. */
const hasRoom = (database: Database, { endpoint: id, shop }: Due, now: number): boolean => {
  const endpoint = endpointOf(database, shop, id)
  return endpoint !== undefined && Pace.hasRoom(endpoint.options, plannedOf(database, shop, id), now)
}

/** Leases a delivery to a worker. */
const hold = (database: Database, { endpoint, id, shop }: Due, { leaseUntil, now, token }: ClaimRequest): Claim => {
  const where = "WHERE shop = ? AND endpoint = ? AND id = ?"
  database.run(`UPDATE deliveries SET token = ?, leased_until = ? ${where}`, token, leaseUntil, shop, endpoint, id)
  const row = database.first<{ delivery: string; endpoint: string; body: string; record: string }>(
    `SELECT d.record AS delivery, e.record AS endpoint, ev.body, ev.record FROM deliveries d
     JOIN endpoints e ON e.shop = d.shop AND e.id = d.endpoint JOIN events ev ON ev.shop = d.shop AND ev.id = d.event
     WHERE d.shop = ? AND d.endpoint = ? AND d.id = ?`,
    ...[shop, endpoint, id],
  )
  if (row === undefined) throw new Error(`The delivery ${id} has no event`)
  const delivery: DeliveryRecord = JSON.parse(row.delivery)
  const { options, proven, rotation, secret, standardWebhooks, troubled, url }: EndpointRecord = JSON.parse(
    row.endpoint,
  )
  const { attempts, event, eventId, test } = delivery
  const attempt = attempts.length + 1
  const before = plannedOf(database, shop, endpoint)
  const { planned, startsAt } = Pace.plan(options, before, { deliveryId: id, leaseUntil, now })
  if (planned !== before) storePlanned(database, shop, endpoint, planned)
  return {
    token,
    shop,
    deliveryId: id,
    endpointId: endpoint,
    eventId,
    event,
    test,
    attempt,
    proven,
    troubled,
    body: row.body,
    trace: eventOf(row).trace,
    url,
    secret,
    rotation,
    standardWebhooks,
    options,
    startsAt,
  }
}
