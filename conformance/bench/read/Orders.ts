/** Reads of orders, one and a page, alongside another server with the same responses. */
import { isDeepStrictEqual } from "node:util"
import { note } from "../support/Main.ts"
import type { Finding } from "../support/Report.ts"
import { shuffled } from "../support/Shuffled.ts"
import { fetchPage } from "./FetchPage.ts"
import { throughput } from "./Findings.ts"
import { measure, type Schedule } from "./Medians.ts"
import type { Stage } from "./Stage.ts"

type Options = Schedule & { readonly connections: number }

export const orders = async (stage: Stage, options: Options): Promise<ReadonlyArray<Finding>> => {
  const some = shuffled(stage.filled.orders).slice(0, 500)
  return [
    await beside(stage, options, {
      name: "/orders/{id}",
      paths: some.map(({ id }) => `/api/v1/orders/${id}`),
      least: 2,
    }),
    await beside(stage, options, { name: "/orders?limit=25", paths: ["/api/v1/orders?limit=25"], least: 3 }),
  ]
}

const beside = async (
  { load, servers, token }: Stage,
  options: Options,
  { least, name, paths }: { readonly name: string; readonly paths: ReadonlyArray<string>; readonly least: number },
): Promise<Finding> => {
  note(`GET ${name}`)
  const plans = { own: `${name}: designwire`, other: `${name}: fastify` }
  for (const path of paths) {
    const own = await fetchPage(servers.unlimited.port, token, path)
    const other = await fetchPage(servers.fastify.port, token, path)
    if (!isDeepStrictEqual(JSON.parse(own), JSON.parse(other))) throw new Error(`${path}: the answers differ`)
    await load.prepare(plans.own, [{ path, token, body: own }])
    await load.prepare(plans.other, [{ path, token, body: other }])
  }
  const medians = await measure(
    load,
    [
      { name: "designwire", server: servers.unlimited, plan: plans.own },
      { name: "Fastify + postgres", server: servers.fastify, plan: plans.other },
    ],
    options,
  )
  return throughput(`GET ${name} vs Fastify + postgres`, medians, "Fastify + postgres", least)
}
