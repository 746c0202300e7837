/** Writers of events, each on a separate connection, in transactions opened by an embedder. */
import pg from "pg"
import { fromPg, within } from "../../../adapters/connection/index.ts"
import { EndpointKind, noSubject } from "../../../core/model/events/Event.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { pause } from "../support/Clock.ts"
import type { Stores } from "./Stores.ts"

/** Written events by number, which is the index in these lists. */
export interface Written {
  readonly shops: Array<string>
  /** Start and end of its writing, on a logical clock. */
  readonly begun: Array<number>
  readonly done: Array<number>
  /** 1 if its transaction was committed, 2 if that is unknown because the connection was killed during the commit. */
  readonly committed: Array<0 | 1 | 2>
  /** End of its commit in milliseconds. */
  readonly committedAt: Array<number>
}

export const nothingWritten = (): Written => ({ shops: [], begun: [], done: [], committed: [], committedAt: [] })

/** Outcomes of transactions. */
export interface Outcomes {
  committed: number
  rolledBack: number
  killed: number
  heldOpen: number
}

const connect = async (url: string) => {
  const client = new pg.Client(url)
  // Some are killed deliberately.
  client.on("error", () => undefined)
  await client.connect()
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
  return { client, pid: Number(rows[0].pid), alive: true }
}

/**
 * Writes until enough events are committed, in transactions of 1 to 40 events, some held open, rolled back or killed.
 */
export const write = async (
  stores: Stores,
  url: string,
  kill: (pid: number) => Promise<unknown>,
  written: Written,
  outcomes: Outcomes,
  tick: () => number,
  isEnough: () => boolean,
) => {
  let own = await connect(url)
  while (!isEnough()) {
    const chance = Math.random()
    const shop = `shop${Math.floor(Math.random() * 8)}`
    const numbers: Array<number> = []
    const add = async (count: number) => {
      const begun = tick()
      const events = Array.from({ length: count }, () => {
        const number = written.shops.push(shop) - 1
        written.begun[number] = begun
        written.committed[number] = 0
        numbers.push(number)
        const event = EndpointKind.literals[number % 3] ?? "design.ordered"
        const id = `evt_${String(number).padStart(22, "0")}`
        const body = `{"id":"${id}","number":${number}}`
        return { shop, id, event, test: false, createdAt: Date.now(), subject: noSubject, trace: null, body }
      })
      const commit = OrderStore.use((orders) => orders.commit({ shop, designs: [], order: null, events }))
      await stores.runPromise(within(fromPg(own.client))(commit))
      const done = tick()
      for (const number of numbers.slice(-count)) written.done[number] = done
    }
    try {
      await own.client.query("BEGIN")
      await add(1 + Math.floor(Math.random() * 40))
      if (chance < 0.01) {
        outcomes.heldOpen++
        await pause(500 + Math.random() * 2_500)
        await add(1 + Math.floor(Math.random() * 40))
      }
      if (chance > 0.98) {
        await own.client.query("ROLLBACK")
        outcomes.rolledBack++
        continue
      }
      if (chance > 0.975) {
        // The kill comes before, during or after the commit.
        const killed = kill(own.pid)
        for (const number of numbers) written.committed[number] = 2
        await own.client.query("COMMIT").catch(() => undefined)
        await killed
        outcomes.killed++
        own = await connect(url)
        continue
      }
      await own.client.query("COMMIT")
      const at = performance.now()
      for (const number of numbers) {
        written.committed[number] = 1
        written.committedAt[number] = at
      }
      outcomes.committed += numbers.length
    } catch (error) {
      throw new Error("A writer failed", { cause: error })
    }
  }
  await own.client.end()
}
