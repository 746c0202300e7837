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

/** How many of each standing. */
type Counts = Readonly<Record<Standing, number>>

const ofEachStanding = <A>(of: (standing: Standing) => A): Readonly<Record<Standing, A>> => ({
  newcomer: of("newcomer"),
  troubled: of("troubled"),
  proven: of("proven"),
})

/** The claims of each standing in the order in which their shops are named. */
export const inOrder = (shops: NamedShops, claims: ReadonlyArray<Claim>): Found =>
  ofEachStanding((standing) => {
    const places = new Map(shops[standing].map((shop, place) => [shop, place]))
    const place = ({ shop }: Claim) => places.get(shop) ?? 0
    return claims.filter((claim) => standingOf(claim) === standing).toSorted((one, other) => place(one) - place(other))
  })

/** The named shops by their bucket, the bucket of the first shop first. Leaves out shops that can't be claimed for. */
export const byBucket = (map: BucketMap, shops: NamedShops): ReadonlyArray<Own> =>
  [...Map.groupBy(claimable(map, shops), (shop) => map.of(shop))].flatMap(([bucket, own]) => {
    const isOwn = new Set(own)
    return bucket === undefined ? [] : [{ bucket, shops: selected(shops, (_, shop) => isOwn.has(shop)) }]
  })

/** The named shops in the order in which they are named, whatever their standing. */
const claimable = (map: BucketMap, shops: NamedShops): ReadonlyArray<string> => {
  const places = new Map<string, number>()
  for (const named of Object.values(shops)) {
    for (const [place, shop] of named.entries()) {
      // It would be refused, and with it all other shops of its bucket.
      if (map.moveOf(shop)?.isSwitching !== true) places.set(shop, Math.min(place, places.get(shop) ?? place))
    }
  }
  return [...places].toSorted(([, one], [, other]) => one - other).map(([shop]) => shop)
}

const selected = (shops: NamedShops, isWanted: (standing: Standing, shop: string) => boolean): NamedShops =>
  ofEachStanding((standing) => shops[standing].filter((shop) => isWanted(standing, shop)))

/** How many claims of each standing are kept. */
const keptOf = ({ limit, probation }: Limits, found: Found): Counts => {
  const unproven = Math.min(limit, probation.limit)
  const newcomer = Math.min(unproven, found.newcomer.length)
  const troubled = Math.min(probation.troubled, unproven - newcomer, found.troubled.length)
  return { newcomer, troubled, proven: Math.min(limit - newcomer - troubled, found.proven.length) }
}

/** Splits the claims found into those that are returned and the rest. */
export const split = (limits: Limits, found: Found) => {
  const ends = keptOf(limits, found)
  return {
    kept: Object.values(ofEachStanding((standing) => found[standing].slice(0, ends[standing]))).flat(),
    surplus: Object.values(ofEachStanding((standing) => found[standing].slice(ends[standing]))).flat(),
  }
}

/** How many more of each standing a claim may find. Newcomers take the place of others that it has found. */
export const roomOf = ({ limit, probation }: Limits, found: Found): Counts => {
  const kept = keptOf({ limit, probation }, found)
  const unproven = Math.min(limit, probation.limit) - kept.newcomer
  return {
    newcomer: unproven,
    troubled: Math.max(0, Math.min(probation.troubled, unproven) - found.troubled.length),
    proven: Math.max(0, limit - kept.newcomer - kept.troubled - found.proven.length),
  }
}

/** The shops for which there is room; none if there is room for none of them. */
export const withRoom = ({ bucket, shops }: Own, room: Counts): ReadonlyArray<Own> => {
  const wanted = selected(shops, (standing) => room[standing] > 0)
  return Object.values(wanted).every((named) => named.length === 0) ? [] : [{ bucket, shops: wanted }]
}

/** The limits with which a bucket is asked for its shops. */
export const limitsFor = ({ probation }: Limits, shops: NamedShops, room: Counts): Limits => {
  const most = (standing: Standing) => Math.min(room[standing], shops[standing].length * probation.perEndpoint)
  const proven = shops.proven.length === 0 ? 0 : room.proven
  return {
    limit: Math.max(1, proven + most("newcomer") + most("troubled")),
    probation: { ...probation, limit: room.newcomer, troubled: room.troubled },
  }
}
