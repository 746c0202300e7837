import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { storedOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import type { Claim, ClaimRequest } from "../../../core/ports/DeliveryQueue.ts"
import { BusyEndpoints } from "../../../core/support/BusyEndpoints.ts"
import { withParameters } from "../statements/NamedParameters.ts"
import { arrayOf } from "../statements/Rows.ts"
import { claim as text } from "./claim.sql.ts"
import { rotationOf } from "./Rotation.ts"

interface Row extends Pick<Claim, "shop" | "event" | "test" | "proven" | "troubled" | "url" | "secret"> {
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly attempts: number
  readonly standard_webhooks: boolean
  readonly options: string
  readonly new_secret: string | null
  readonly rotates_at: Instant | null
  /** Milliseconds since 1970, with fractions. */
  readonly starts_at: Instant | null
  /** The body and the trace of the event, with only one of its deliveries. */
  readonly body: string | null
  readonly trace: Claim["trace"]
}

const statement = withParameters(text, [
  "now",
  "scan_from",
  "lease_until",
  "token",
  "alone",
  "limits",
  "standings",
  "shops",
  "rooms",
  "busy",
])

const eventKey = ({ event_id, shop }: Pick<Row, "event_id" | "shop">): string => `${shop}\n${event_id}`

/**
 * Claims deliveries (`DeliveryQueue.claim`) due at `scanFrom` or later. `joined` says whether the claim is part of
 * somebody else's transaction.
 *
 * The statement is claim.sql. It reads the deliveries that it takes of the shops that are named: for each standing it
 * goes from shop to shop until the limit is reached.
 */
export const claim = (
  sql: SqlClient.SqlClient,
  request: ClaimRequest,
  { joined, scanFrom }: { readonly joined: boolean; readonly scanFrom: Instant | null },
): Effect.Effect<ReadonlyArray<Claim>, SqlError.SqlError> => {
  const { leaseUntil, now, token } = request
  const found = statement<Row>(sql, {
    now: format(now),
    scan_from: scanFrom === null ? "-infinity" : format(scanFrom),
    lease_until: format(leaseUntil),
    token,
    // A claim need not wait for the disk: what a crash of the server forgets is claimed again. Somebody else's
    // transaction may hold what must not be forgotten.
    alone: !joined,
    limits: JSON.stringify(limitsOf(request)),
    ...turnsOf(request),
  })
  return Effect.map(found, (rows) => {
    const events = new Map(rows.flatMap((row) => (row.body === null ? [] : [[eventKey(row), row]])))
    return rows.map((row) => claimOf(token, row, events.get(eventKey(row)) as Row & { readonly body: string }))
  })
}

const claimOf = (token: string, row: Row, { body, trace }: Pick<Claim, "body" | "trace">): Claim => ({
  token,
  shop: row.shop,
  deliveryId: row.id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  event: row.event,
  test: row.test,
  attempt: row.attempts + 1,
  proven: row.proven,
  troubled: row.troubled,
  body,
  trace,
  url: row.url,
  standardWebhooks: row.standard_webhooks,
  options: storedOptions(row.options),
  startsAt: row.starts_at === null ? null : Math.round(row.starts_at),
  secret: row.secret,
  rotation: rotationOf({ newSecret: row.new_secret, rotatesAt: row.rotates_at }),
})

/**
 * The limits of each standing, in the order in which they are served: `share` together with those before that aren't
 * proven either, `most` of the standing, `of_shop` of a shop, and for `each` endpoint.
 */
const limitsOf = ({ limit, perEndpoint, probation }: ClaimRequest) => {
  const share = Math.min(limit, probation.limit)
  // Of endpoints that are not proven, many shops with one each are better than one shop with many.
  const few = { of_shop: probation.perEndpoint, each: probation.perEndpoint }
  return [
    { standing: "newcomer", share, most: share, ...few },
    { standing: "troubled", share, most: Math.min(share, probation.troubled), ...few },
    { standing: "proven", share: limit, most: limit, of_shop: limit, each: perEndpoint },
  ]
}

/** The shops whose turn it is, with the room that the worker has for each, and what it has under way. */
const turnsOf = ({ busy, perShop, shops }: ClaimRequest) => {
  const turns = Object.entries(shops).flatMap(([standing, named]) => named.map((shop) => ({ standing, shop })))
  const counts = new BusyEndpoints(busy)
  const byShop = new Map<string, Record<string, number>>()
  for (const { attempts, endpointId, shop } of busy) {
    byShop.set(shop, { ...byShop.get(shop), [endpointId]: attempts })
  }
  return {
    standings: arrayOf(turns.map(({ standing }) => standing)),
    shops: arrayOf(turns.map(({ shop }) => shop)),
    rooms: arrayOf(turns.map(({ shop }) => Math.max(0, perShop - counts.ofShop(shop)))),
    busy: arrayOf(turns.map(({ shop }) => byShop.get(shop) ?? null)),
  }
}
