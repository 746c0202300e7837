import { instant, pause } from "../support/Clock.ts"
import { deliveryId, makeEvent, type StagedShop } from "./Events.ts"
import { commitEvents, type Stores } from "./Stage.ts"

/** How long to commit events, and how many per second in all shops together. */
export interface LoadOptions {
  readonly seconds: number
  readonly eventsPerSecond: number
}

/** Commits events of alternating shops at a steady rate. Returns the instant of the commit of each delivery. */
export const steadyLoad = async (
  stores: Stores,
  shops: ReadonlyArray<StagedShop>,
  { eventsPerSecond, seconds }: LoadOptions,
): Promise<ReadonlyMap<string, number>> => {
  const committed = new Map<string, number>()
  const commits: Array<Promise<void>> = []
  const events = Math.round(seconds * eventsPerSecond)
  const begin = instant()
  for (let index = 0; index < events; index++) {
    await pause(Math.max(0, begin + (index * 1_000) / eventsPerSecond - instant()))
    const { endpoints, shop } = shops[index % shops.length] as StagedShop
    const event = makeEvent(shop)
    commits.push(
      commitEvents(stores, shop.id, [event]).then(() => {
        const at = instant()
        for (const endpoint of endpoints) committed.set(deliveryId(event.id, endpoint), at)
      }),
    )
  }
  await Promise.all(commits)
  return committed
}
