/** The room of a claim over buckets: which shops to ask for, for how many deliveries, and which of them to keep. */
import { type Standing, standingOf } from "../../core/model/Health.ts"
import type { Claim, ClaimRequest, NamedShops } from "../../core/ports/DeliveryQueue.ts"
import type { Bucket, BucketMap } from "./BucketMap.ts"

/** The claims found so far by standing, in the order of their shops: possibly more than the limits allow. */
export type Found = Readonly<Record<Standing, ReadonlyArray<Claim>>>

/** The shops of a bucket that a claim names. */
export interface Own {
  readonly bucket: Bucket
  readonly shops: NamedShops
}

type Limits = Pick<ClaimRequest, "limit" | "probation">

/** The claims of each standing in the order in which their shops are named. */
export const inOrder = (shops: NamedShops, claims: ReadonlyArray<Claim>): Found => {
  const of = (standing: Standing) => {
    const places = new Map(shops[standing].map((shop, place) => [shop, place]))
    const place = ({ shop }: Claim) => places.get(shop) ?? 0
    return claims.filter((claim) => standingOf(claim) === standing).toSorted((one, other) => place(one) - place(other))
  }
  return { newcomer: of("newcomer"), troubled: of("troubled"), proven: of("proven") }
}

/** The named shops by their bucket, the bucket of the first shop first. Leaves out shops that can't be claimed for. */
export const byBucket = (map: BucketMap, shops: NamedShops): ReadonlyArray<Own> => {
  const places = new Map<string, number>()
  for (const named of Object.values(shops)) {
    for (const [place, shop] of named.entries()) {
      // It would be refused, and with it all other shops of its bucket.
      if (map.moveOf(shop)?.isSwitching !== true) places.set(shop, Math.min(place, places.get(shop) ?? place))
    }
  }
  const ordered = [...places].toSorted(([, one], [, other]) => one - other).map(([shop]) => shop)
  return [...Map.groupBy(ordered, (shop) => map.of(shop))].flatMap(([bucket, own]) => {
    const isOwn = new Set(own)
    return bucket === undefined ? [] : [{ bucket, shops: selected(shops, (_, shop) => isOwn.has(shop)) }]
  })
}

const selected = (shops: NamedShops, isWanted: (standing: Standing, shop: string) => boolean): NamedShops => {
  const of = (standing: Standing) => shops[standing].filter((shop) => isWanted(standing, shop))
  return { newcomer: of("newcomer"), troubled: of("troubled"), proven: of("proven") }
}

/** How many claims of each standing are kept. */
const keptOf = ({ limit, probation }: Limits, { newcomer, proven, troubled }: Found) => {
  const unproven = Math.min(limit, probation.limit)
  const newcomers = Math.min(unproven, newcomer.length)
  const inTrouble = Math.min(probation.troubled, unproven - newcomers, troubled.length)
  return { newcomer: newcomers, troubled: inTrouble, proven: Math.min(limit - newcomers - inTrouble, proven.length) }
}

/** Splits the claims found into those that are returned and the rest. */
export const split = (limits: Limits, found: Found) => {
  const kept = keptOf(limits, found)
  const parts = Object.entries(found).map(([standing, claims]) => ({ claims, end: kept[standing as Standing] }))
  return {
    kept: parts.flatMap(({ claims, end }) => claims.slice(0, end)),
    surplus: parts.flatMap(({ claims, end }) => claims.slice(end)),
  }
}

/** How many more of each standing a claim may find. Newcomers take the place of others that it has found. */
export const roomOf = ({ limit, probation }: Limits, found: Found): Readonly<Record<Standing, number>> => {
  const kept = keptOf({ limit, probation }, found)
  const unproven = Math.min(limit, probation.limit) - kept.newcomer
  return {
    newcomer: unproven,
    troubled: Math.max(0, Math.min(probation.troubled, unproven) - found.troubled.length),
    proven: Math.max(0, limit - kept.newcomer - kept.troubled - found.proven.length),
  }
}

/** The shops for which there is room; none if there is room for none of them. */
export const withRoom = ({ bucket, shops }: Own, room: Readonly<Record<Standing, number>>): ReadonlyArray<Own> => {
  const wanted = selected(shops, (standing) => room[standing] > 0)
  return Object.values(wanted).every((named) => named.length === 0) ? [] : [{ bucket, shops: wanted }]
}

/** The limits with which a bucket is asked for its shops. */
export const limitsFor = (
  { probation }: Limits,
  shops: NamedShops,
  room: Readonly<Record<Standing, number>>,
): Limits => {
  const most = (standing: Standing) => Math.min(room[standing], shops[standing].length * probation.perEndpoint)
  const proven = shops.proven.length === 0 ? 0 : room.proven
  return {
    limit: Math.max(1, proven + most("newcomer") + most("troubled")),
    probation: { ...probation, limit: room.newcomer, troubled: room.troubled },
  }
}
