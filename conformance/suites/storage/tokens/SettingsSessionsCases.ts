import { Effect } from "effect"
import { SettingsSessions } from "../../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { day, newShop, someTime, unique } from "../support/Fixtures.ts"

const hosts = Effect.all([SettingsSessions, onOtherHost(SettingsSessions)])

/** The two kinds of sessions: of every store, and of one. */
const shops = Effect.map(newShop, (shop) => ["", shop])

const until = someTime + day

const open = { isEnded: false, epoch: 0 }

/** Sessions of the settings app and its links (D58). */
export const settingsSessionsCases = calling(
  ShopStore,
  SettingsSessions,
)([
  {
    id: "sessions.spend",
    title: "MUST let an id be used once, on any host, and end the session with this id alone",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      for (const shop of yield* shops) {
        const id = unique()
        const query = { shop, owner: unique(), session: id }
        yield* equal("before", yield* other.standing(query), open)
        yield* equal("the first use", yield* store.spend({ shop, id, until }), true)
        for (const host of [other, store]) {
          yield* equal("a second use", yield* host.spend({ shop, id, until }), false)
          yield* equal("its session", yield* host.standing(query), { isEnded: true, epoch: 0 })
          yield* equal("another session", yield* host.standing({ ...query, session: unique() }), open)
        }
      }
    }),
  },
  {
    id: "sessions.race",
    title: "MUST let exactly one of many concurrent uses of an id win",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const stores = yield* hosts
      const shop = yield* newShop
      for (let round = 0; round < 5; round++) {
        const id = unique()
        const uses = Array.from({ length: 12 }, (_, index) =>
          stores[index % 2 === 0 ? 0 : 1].spend({ shop, id, until }),
        )
        const won = yield* Effect.all(uses, { concurrency: "unbounded" })
        yield* equal("uses that won", won.filter((isFirst) => isFirst).length, 1)
      }
    }),
  },
  {
    id: "sessions.epoch",
    title: "MUST give an owner a later epoch with each end of all sessions, whatever the clocks of hosts say",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      for (const shop of yield* shops) {
        const [owner, session] = [`öwner's "${unique()}" \u{1F511}`, unique()]
        const epochs = [0]
        for (const [index, now] of [someTime, someTime + 5, someTime - day, someTime + 5].entries()) {
          yield* (index % 2 === 0 ? store : other).endAll({ shop, owner, now, until })
          for (const host of [store, other]) {
            const { epoch, isEnded } = yield* host.standing({ shop, owner, session })
            yield* equal("the session's own end", isEnded, false)
            yield* equal(`epoch ${epoch} after ${epochs.at(-1)}`, epoch >= (epochs.at(-1) ?? 0), true)
            epochs.push(epoch)
          }
          yield* equal("later than before", (epochs.at(-1) ?? 0) > (epochs.at(-3) ?? 0), true)
        }
        yield* equal("the first epoch", epochs[1], someTime)
        yield* equal("another owner", yield* other.standing({ shop, owner: unique(), session }), open)
      }
    }),
  },
  {
    id: "sessions.apart",
    title: "MUST keep used ids and owners of different shops apart, and ids apart from owners",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [store] = yield* hosts
      const [one, two] = [yield* newShop, yield* newShop]
      const [id, owner] = [unique(), unique()]
      yield* store.spend({ shop: one, id, until })
      yield* store.endAll({ shop: one, owner, now: someTime, until })
      for (const shop of ["", two]) {
        yield* equal("elsewhere", yield* store.standing({ shop, owner, session: id }), open)
        yield* equal("the id elsewhere", yield* store.spend({ shop, id, until }), true)
      }
      yield* equal("swapped", yield* store.standing({ shop: one, owner: id, session: owner }), open)
    }),
  },
  {
    id: "sessions.prune",
    ports: [ShopStore, SettingsSessions, Upkeep],
    alone: true,
    title: "MUST drop marks that need not be kept in upkeep, and no others",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [store] = yield* hosts
      for (const shop of yield* shops) {
        const ended = Array.from({ length: 8 }, () => unique())
        const [kept, owner, quiet] = [unique(), unique(), unique()]
        // Other cases keep later ones.
        for (const id of ended) yield* store.spend({ shop, id, until: 2 })
        yield* store.spend({ shop, id: kept, until: 3 })
        yield* store.endAll({ shop, owner: quiet, now: 1, until: 2 })
        yield* store.endAll({ shop, owner, now: 1, until: 3 })
        const upkeep = yield* Upkeep
        let after: string | null = null
        do {
          after = yield* upkeep.prune({ keep: 1_000, eventsBefore: 0, now: 2, limit: 7, after })
        } while (after !== null)
        yield* equal("kept", yield* store.standing({ shop, owner, session: kept }), { isEnded: true, epoch: 1 })
        for (const session of ended) {
          yield* equal("dropped", yield* store.standing({ shop, owner: quiet, session }), open)
        }
      }
    }),
  },
  {
    id: "sessions.until",
    ports: [ShopStore, SettingsSessions, Upkeep],
    alone: true,
    title: "MUST keep an owner's epoch until the latest time that was asked for",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      for (const shop of yield* shops) {
        const owner = unique()
        yield* store.endAll({ shop, owner, now: 1, until: 9 })
        yield* other.endAll({ shop, owner, now: 1, until: 4 })
        const upkeep = yield* Upkeep
        let after: string | null = null
        do {
          after = yield* upkeep.prune({ keep: 1_000, eventsBefore: 0, now: 5, limit: 1, after })
        } while (after !== null)
        yield* equal("kept", yield* store.standing({ shop, owner, session: unique() }), { isEnded: false, epoch: 2 })
      }
    }),
  },
  {
    id: "sessions.shop",
    title: "MUST drop the marks of a shop with it",
    requirements: ["D43", "D58"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const shop = yield* newShop
      const [id, owner] = [unique(), unique()]
      yield* store.spend({ shop, id, until })
      yield* store.endAll({ shop, owner, now: someTime, until })
      yield* Effect.repeat(
        ShopStore.use((shops) => shops.remove({ shop, now: someTime, limit: 100 })),
        { until: (isGone) => isGone },
      )
      yield* equal("after the removal", yield* other.standing({ shop, owner, session: id }), open)
    }),
  },
])
