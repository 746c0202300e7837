/**
 * Wrong services, and which cases of the profiles notice each: `npm run mutants:service -- --profile feed`. Each is the
 * service of this package behind a proxy that breaks one requirement.
 */
import { randomBytes } from "node:crypto"
import process from "node:process"
import { parseArgs } from "node:util"
import { createDesignwire } from "../../../../hosts/embed/index.ts"
import { profiles, serviceProfiles } from "../../../suites/certificate/Profiles.ts"
import { check } from "../../../suites/runner/check.ts"
import { type ServiceHarness, service } from "../../../suites/service/service.ts"
import { embedDriver } from "../../../testkit/hosts/EmbedDriver.ts"
import { withFault } from "./FaultyProxy.ts"
import type { ServiceFault } from "./ServiceFault.ts"
import { wrongServices } from "./wrong/index.ts"

const { values } = parseArgs({
  options: {
    profile: { type: "string" },
    only: { type: "string" },
    part: { type: "string" },
    verbose: { type: "boolean" },
  },
})

/** They take long or much memory: only faults that name them run them. */
const heavy = [
  "routes.ids.any",
  "pages.bytes",
  "pages.beside",
  "pages.many",
  "rates.limit",
  "rates.checks",
  "rates.window",
]

const schedule = [100, 200, 150, 50]

/** The service without a fault. */
const designwire = await createDesignwire({
  database: { memory: true },
  encryptionKeys: randomBytes(32).toString("base64"),
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

/** The cases of a profile that fail with a fault, with the reasons. */
const failing = async (fault: ServiceFault, cases: ReadonlyArray<string>) => {
  const faulty = await withFault(harness, fault)
  try {
    const only = cases.filter((id) => !heavy.includes(id) || fault.caughtBy === id || fault.caughtBy === "")
    const slow = fault.caughtBy === "rates.window" || fault.caughtBy === "retries.timeout" || fault.caughtBy === ""
    const { results } = await check(service({ ...faulty.harness, only, slow }), { write: () => undefined })
    return results.filter(({ status }) => status === "failed")
  } finally {
    await faulty.close()
  }
}

/** What the cases of a profile notice of a fault. */
const tried = async (profile: string, cases: ReadonlyArray<string>, fault: ServiceFault) => {
  const failed = await failing(fault, cases)
  const ids = failed.map(({ id }) => id)
  console.log(`${ids.length === 0 ? "-" : "✓"} ${profile}: ${fault.title}: ${ids.join(", ") || "nothing"}`)
  if (values.verbose) for (const { id, message } of failed) console.log(`    ${id}: ${message?.slice(0, 300)}`)
  return { fault, cases: ids }
}

/** Number of faults tried at once: most cases wait most of their time. */
const atOnce = 4

for (const profile of serviceProfiles.filter((name) => name !== "full" && (values.profile ?? name) === name)) {
  const { optional, required } = profiles[profile]
  const cases = [...required, ...optional]
  const [part = 0, parts = 1] = values.part?.split("/").map(Number) ?? []
  const none = { title: "no fault", caughtBy: "" }
  const waiting = [none, ...(wrongServices[profile] ?? [])].filter(
    ({ title }, index) => index % parts === part && new RegExp(values.only ?? "").test(title),
  )
  const all: Array<Awaited<ReturnType<typeof tried>>> = []
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      all.push(await tried(profile, cases, fault))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const ours = all.filter(({ fault }) => fault !== none)
  const caught = ours.filter((each) => each.cases.length > 0)
  const alone = new Set(ours.flatMap((each) => (each.cases.length === 1 ? each.cases : [])))
  const hit = new Set(ours.flatMap((each) => each.cases))
  const missed = ours.filter(({ cases: ids, fault }) => !ids.includes(fault.caughtBy))
  const share = ((caught.length / ours.length) * 100).toFixed(1)
  console.log(`${profile}: ${caught.length} of ${ours.length} caught, ${share} %`)
  console.log(`${profile}: ${alone.size} of ${cases.length} cases each notice a fault that no other notices`)
  console.log(`${profile}: no fault hits ${cases.filter((id) => !hit.has(id)).join(", ") || "no case"}`)
  for (const { fault } of missed) console.log(`${profile}: ${fault.caughtBy} does not notice: ${fault.title}`)
  const isWrong = all.some((each) => each.fault === none && each.cases.length > 0)
  if (isWrong || missed.length > 0) process.exitCode = 1
}
await designwire.stop()
