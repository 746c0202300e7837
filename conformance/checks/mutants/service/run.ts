/**
 * Wrong services, and which cases of the profiles notice each: `npm run mutants:service -- --profile feed`. Each is a
 * service of this package behind a proxy that breaks one requirement.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { parseArgs } from "node:util"
import { Effect, Exit, Logger, Scope } from "effect"
import { createDesignwire } from "../../../../hosts/embed/index.ts"
import { profiles } from "../../../suites/certificate/Profiles.ts"
import { check } from "../../../suites/runner/check.ts"
import { type ServiceHarness, service } from "../../../suites/service/service.ts"
import { embedDriver } from "../../../testkit/hosts/EmbedDriver.ts"
import { encryptionKeys } from "../../../testkit/hosts/EmbedWorld.ts"
import { served } from "../../../testkit/hosts/ServedService.ts"
import { memory } from "../../../testkit/hosts/TestHost.ts"
import { withFault } from "./FaultyProxy.ts"
import type { ServiceFault } from "./ServiceFault.ts"
import { wrongAddresses, wrongServices } from "./wrong/index.ts"

const { values } = parseArgs({
  options: {
    profile: { type: "string" },
    only: { type: "string", default: "" },
    verbose: { type: "boolean" },
  },
})

const names = ["rest", "webhooks", "feed", "evaluation"] as const

/** Profiles by process: one computes while the other waits, and no case is late because of too many others. */
const lanes = [names.slice(0, 1), names.slice(1)]

/** They take long or much memory: only faults that name them run them. */
const heavy = ["pages.bytes", "pages.beside", "pages.many", "rates.window"]

/** Part of a case's time that it has here: what a fault keeps from coming is waited for in vain. */
const patience = 0.4

/** Faults tried at once: cases with webhooks wait most of their time. */
const atOnce = { rest: 3, webhooks: 16, feed: 4, evaluation: 4 }

const schedule = [100, 200, 150, 50]

/** A service of its own for each fault. */
const embedded = async () => {
  const designwire = await createDesignwire({
    database: { memory: true },
    encryptionKeys,
    allowNetworks: "127.0.0.0/8",
    allowHttp: true,
    onNotice: () => undefined,
    retrySchedule: schedule.map((wait) => `${wait}ms`).join(","),
  })
  await designwire.start()
  const harness: ServiceHarness = {
    url: "http://service.test/api/v1",
    request: designwire.handler,
    driver: embedDriver(designwire),
    receive: { host: "127.0.0.1", port: 0 },
    schedule,
  }
  return { harness, stop: designwire.stop }
}

/** A service that can drop events, which no embedded one can. */
const serving = async () => {
  const scope = Scope.makeUnsafe()
  const silent = Effect.provide(Scope.provide(served(memory), scope), Logger.layer([]))
  const harness = await Effect.runPromise(silent)
  return { harness, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** The cases that fail with a fault, with the reasons. */
const failing = async (fault: ServiceFault, cases: ReadonlyArray<string>) => {
  const { harness, stop } = await (cases.includes("feed.gone") ? serving() : embedded())
  const faulty = await withFault(harness, fault)
  try {
    const left = heavy.filter((id) => cases.includes(id) && fault.caughtBy !== id && fault.caughtBy !== "")
    const skip = Object.fromEntries(left.map((id) => [id, "it takes long"]))
    // What is refused by default is accepted of a service that may send to the receiver.
    const { receive, ...unreceived } = faulty.harness
    const given = cases.includes("endpoints.public.default") ? unreceived : faulty.harness
    const time = fault.caughtBy === "" || heavy.includes(fault.caughtBy) ? 1 : patience
    const suite = service({ ...given, only: cases, skip, slow: true, patience: time })
    const { results } = await check(suite, { write: () => undefined })
    return results.filter(({ status }) => status === "failed")
  } finally {
    await faulty.close()
    await stop()
  }
}

/** The cases that notice a fault. */
const tried = async (about: string, cases: ReadonlyArray<string>, fault: ServiceFault) => {
  const began = performance.now()
  const failed = await failing(fault, cases)
  const took = ((performance.now() - began) / 1_000).toFixed(1)
  const ids = failed.map(({ id }) => id)
  console.log(`${ids.length === 0 ? "-" : "✓"} ${about}: ${fault.title}: ${ids.join(", ") || "nothing"} (${took} s)`)
  if (values.verbose) for (const { id, message } of failed) console.log(`    ${id}: ${message?.slice(0, 300)}`)
  return { fault, ids }
}

const none = { title: "no fault", caughtBy: "" }

/** Tries faults, so many at once. */
const allTried = async (
  about: (typeof names)[number],
  faults: ReadonlyArray<ServiceFault>,
  casesOf: (fault: ServiceFault) => ReadonlyArray<string>,
) => {
  const waiting = faults.filter(({ title }) => new RegExp(values.only).test(title))
  const all: Array<Awaited<ReturnType<typeof tried>>> = []
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      all.push(await tried(about, casesOf(fault), fault))
    }
  }
  await Promise.all(Array.from({ length: atOnce[about] }, work))
  for (const { fault, ids } of all) {
    if (fault === none ? ids.length === 0 : ids.includes(fault.caughtBy)) continue
    console.log(`${about}: ${fault.caughtBy || "a case"} is wrong about: ${fault.title}`)
    process.exitCode = 1
  }
  return all.filter(({ fault }) => fault !== none)
}

/** Tries the faults of a profile with all of its cases. */
const tryProfile = async (profile: (typeof names)[number]) => {
  const { optional, required } = profiles[profile]
  const cases = [...required, ...optional]
  const all = await allTried(profile, [none, ...(wrongServices[profile] ?? [])], () => cases)
  const caught = all.filter(({ ids }) => ids.length > 0).length
  const alone = new Set(all.flatMap(({ ids }) => (ids.length === 1 ? ids : [])))
  const share = ((caught / all.length) * 100).toFixed(1)
  console.log(`${profile}: ${caught} of ${all.length} caught, ${share} %`)
  console.log(`${profile}: ${alone.size} of ${cases.length} cases each notice a fault that no other notices`)
  console.log(`${profile}: others notice too: ${cases.filter((id) => !alone.has(id)).join(", ") || "nothing"}`)
}

const began = performance.now()
if (values.profile === undefined) {
  const own = [...process.execArgv, ...process.argv.slice(1)]
  const run = async (profile: string) => {
    const [code] = await once(spawn(process.execPath, [...own, "--profile", profile], { stdio: "inherit" }), "exit")
    if (code !== 0) process.exitCode = 1
  }
  await Promise.all(
    lanes.map(async (lane) => {
      for (const profile of lane) await run(profile)
    }),
  )
} else {
  const profile = names.find((name) => name === values.profile)
  if (profile === undefined) throw new Error(`The profiles are ${names.join(", ")}`)
  await tryProfile(profile)
  // Each address needs its case only.
  if (profile === "webhooks") await allTried(profile, wrongAddresses, ({ caughtBy }) => [caughtBy])
}
console.log(`${values.profile ?? "all"}: ${Math.round((performance.now() - began) / 1_000)} s`)
