import { EndpointChange, EndpointState, SealedTexts, SecretRotation } from "designwire"
import { type Audited, type EndpointRecord, EndpointStore, type SealedSecret, SealedSecrets } from "designwire/ports"
import { Effect, Option } from "effect"
import { addChange } from "./Audit.ts"
import { dropDeselected, endpointOf, reorder, storeEndpoint } from "./Deliveries.ts"
import type { Host } from "./Host.ts"

/** Webhook endpoints. */
export const makeEndpoints = (host: Host): EndpointStore["Service"] => {
  const { database } = host
  /** Updates an endpoint if it exists. */
  const change = (
    shop: string,
    id: string,
    audited: Audited<EndpointRecord> | undefined,
    changed: (endpoint: EndpointRecord) => Partial<EndpointRecord>,
  ) =>
    database.attempt("Changing an endpoint", () => {
      const before = endpointOf(database, shop, id)
      if (before === undefined) return Option.none()
      const after = { ...before, ...changed(before) }
      storeEndpoint(database, after)
      addChange(database, audited, before, after)
      return Option.some(after)
    })
  return EndpointStore.of({
    add: (endpoint, maximum, audited) =>
      database.attempt("Adding an endpoint", () => {
        const kept = database.first<{ count: number }>(
          "SELECT count(*) AS count FROM endpoints WHERE shop = ?",
          endpoint.shop,
        )
        if ((kept?.count ?? 0) >= maximum) return false
        storeEndpoint(database, endpoint)
        addChange(database, audited, undefined, endpoint)
        return true
      }),
    list: (shop) =>
      database.attempt("Reading endpoints", () =>
        database.records<EndpointRecord>("SELECT record FROM endpoints WHERE shop = ? ORDER BY created_at, id", shop),
      ),
    find: (shop, id) =>
      database.attempt("Reading an endpoint", () => Option.fromUndefinedOr(endpointOf(database, shop, id))),
    change: (shop, id, changes, audited, seen) =>
      database.attempt("Changing an endpoint", () => {
        const before = endpointOf(database, shop, id)
        if (before === undefined) return Option.none()
        if (seen !== undefined && !EndpointChange.isConfigured(before, seen)) return Option.some(before)
        const after = EndpointChange.changedBy(before, changes)
        storeEndpoint(database, after)
        dropDeselected(database, after)
        if (after.options.ordering !== before.options.ordering) reorder(database, after)
        addChange(database, audited, before, after)
        return Option.some(after)
      }),
    rotate: (shop, id, anew, audited) => change(shop, id, audited, (endpoint) => SecretRotation.rotate(endpoint, anew)),
    promote: (shop, id, now, audited) => change(shop, id, audited, (endpoint) => SecretRotation.promote(endpoint, now)),
    remove: (shop, id, audited) =>
      database.attempt("Removing an endpoint", () => {
        addChange(database, audited, endpointOf(database, shop, id), undefined)
        for (const table of ["deliveries", "received", "attempt_counts", "paces"]) {
          database.run(`DELETE FROM ${table} WHERE shop = ? AND endpoint = ?`, shop, id)
        }
        return database.run("DELETE FROM endpoints WHERE shop = ? AND id = ?", shop, id) > 0
      }),
    pause: (shop, id, at, audited) => change(shop, id, audited, (endpoint) => EndpointState.pause(endpoint, at) ?? {}),
    turnOn: (shop, id, audited) =>
      Effect.tap(
        change(shop, id, audited, (endpoint) => EndpointState.turnOn(endpoint) ?? {}),
        () => Effect.sync(() => host.wake([shop])),
      ),
  })
}

/** The sealed secrets of all endpoints, by shop and id. */
export const makeSecrets = ({ database }: Host): SealedSecrets["Service"] =>
  SealedSecrets.of({
    list: (after, limit) =>
      database.attempt("Reading secrets", () =>
        database
          .records<EndpointRecord>(
            "SELECT record FROM endpoints WHERE (shop, id) > (?, ?) ORDER BY shop, id LIMIT ?",
            after?.shop ?? "",
            after?.endpointId ?? "",
            limit,
          )
          .flatMap((endpoint) =>
            SealedTexts.sealedOf(endpoint).map(
              (sealed): SealedSecret => ({ shop: endpoint.shop, endpointId: endpoint.id, sealed }),
            ),
          ),
      ),
    replace: ({ endpointId, sealed, shop }, anew) =>
      database.attempt("Replacing a secret", () => {
        const endpoint = endpointOf(database, shop, endpointId)
        if (endpoint === undefined) return false
        const changed = SealedTexts.resealed(endpoint, sealed, anew)
        if (changed === undefined) return false
        storeEndpoint(database, changed)
        return true
      }),
  })
