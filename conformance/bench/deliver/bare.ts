/** A loop over undici without any store: what the sends alone cost. */
import { setting } from "../read/Child.ts"
import { sender } from "./Send.ts"
import { eventIds, jobOf } from "./Stage.ts"
import { whenTold } from "./Task.ts"

const concurrency = 64

const origin = setting("ORIGIN")
const secret = setting("SECRET")
const send = sender(origin, concurrency)
const jobs = eventIds("bare", Number(setting("DELIVERIES"))).map((id) => jobOf(id, origin, secret))
const left = jobs.values()

whenTold(() => {
  for (let loop = 0; loop < concurrency; loop++) {
    void (async () => {
      for (const job of left) await send(job)
    })()
  }
})
