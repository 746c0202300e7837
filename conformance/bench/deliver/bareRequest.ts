/** Sends with undici's `request` without any store. */
import { setting } from "../support/Child.ts"
import { shopOf } from "../support/Seed.ts"
import { jobsOf } from "./Events.ts"
import { sender } from "./Send.ts"
import { whenTold } from "./Task.ts"

const concurrency = 64

const origin = setting("ORIGIN")
const send = sender(origin, concurrency)
const make = jobsOf([{ shop: shopOf("bare"), endpoints: ["whe_bare"] }], origin, setting("SECRET"))
const jobs = make(Number(setting("DELIVERIES"))).values()

whenTold(() => {
  for (let loop = 0; loop < concurrency; loop++) {
    void (async () => {
      for (const job of jobs) await send(job)
    })()
  }
})
