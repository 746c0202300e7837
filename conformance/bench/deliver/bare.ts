/** Sends with undici's `dispatch` without any store: the cost of sending alone. */
import { setting } from "../support/Child.ts"
import { shopOf } from "../support/Seed.ts"
import { jobsOf } from "./Events.ts"
import { dispatcher } from "./Send.ts"
import { whenTold } from "./Task.ts"

const concurrency = 64

const origin = setting("ORIGIN")
const send = dispatcher(origin, concurrency)
const make = jobsOf([{ shop: shopOf("bare"), endpoints: ["whe_bare"] }], origin, setting("SECRET"))
const jobs = make(Number(setting("DELIVERIES"))).values()

whenTold(() => {
  const next = () => {
    const { done, value } = jobs.next()
    if (done !== true) send(value, next)
  }
  for (let loop = 0; loop < concurrency; loop++) next()
})
