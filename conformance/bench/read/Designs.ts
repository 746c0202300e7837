/**
 * Reads of one design, without and with the limit of requests, alongside other servers; and the memory that they take.
 */
import { note } from "../support/Main.ts"
import { type Finding, finding } from "../support/Report.ts"
import { ratio, throughput } from "./Findings.ts"
import type { Load } from "./Load.ts"
import { measure, type Schedule } from "./Medians.ts"
import type { Server } from "./Server.ts"
import type { Stage } from "./Stage.ts"

type Options = Schedule & {
  readonly connections: number
  /** Seconds of load before a server's memory is measured. */
  readonly memorySeconds: number
}

/** Peak resident memory of a server after running a plan for a while. */
const memory = async (
  name: string,
  load: Load,
  server: Server,
  { connections, memorySeconds, most, plan }: Options & { readonly plan: string; readonly most: number },
): Promise<Finding> => {
  note(name)
  await load.run({ plan, port: server.port, connections, milliseconds: memorySeconds * 1_000 })
  return finding(name, "MiB", { designwire: (await server.usage()).peak / 2 ** 20 }, { most })
}

export const designs = async ({ load, servers }: Stage, options: Options): Promise<ReadonlyArray<Finding>> => {
  note("GET /designs/{id}")
  const medians = await measure(
    load,
    [
      { name: "designwire", server: servers.unlimited, plan: "designs" },
      { name: "1 % traced", server: servers.sampled, plan: "designs" },
      { name: "traced", server: servers.traced, plan: "designs" },
      { name: "node:http + pg", server: servers.bare, plan: "designs" },
      { name: "node:http + pg, pipelined", server: servers.pipelined, plan: "designs" },
      { name: "Bun.serve + Bun.sql", server: servers.bun, plan: "designs" },
      { name: "Fastify + postgres", server: servers.fastify, plan: "designs" },
      { name: "sockets + postgres", server: servers.sockets, plan: "designs" },
    ],
    options,
  )
  // The server's span, with its attributes, and a span for each statement.
  const traced = (own: string, most: number) =>
    ratio(`GET /designs/{id} ${own} vs not traced`, "µs", "serverTime", medians, { own, other: "designwire" }, { most })
  return [
    traced("1 % traced", 1.05),
    // For reference: who traces every request pays for its spans, and for sending them.
    traced("traced", 4),
    throughput("GET /designs/{id} vs node:http + pg", medians, "node:http + pg", 1.8),
    throughput("GET /designs/{id} vs node:http + pg, pipelined", medians, "node:http + pg, pipelined", 2),
    throughput("GET /designs/{id} vs Fastify + postgres", medians, "Fastify + postgres", 1.5),
    // Another runtime and the ceiling of ours, for reference. uWebSockets.js is missing because npm does not have it.
    throughput("GET /designs/{id} vs Bun.serve + Bun.sql", medians, "Bun.serve + Bun.sql", 0),
    throughput("GET /designs/{id} vs bare sockets + postgres", medians, "sockets + postgres", 0),
    await memory("Resident memory, limit lifted", load, servers.unlimited, { ...options, plan: "designs", most: 220 }),
  ]
}

export const limited = async ({ load, servers }: Stage, options: Options): Promise<ReadonlyArray<Finding>> => {
  const name = "GET /designs/{id}, limited, many tokens"
  note(name)
  const medians = await measure(
    load,
    [
      { name: "designwire", server: servers.limited, plan: "limited" },
      { name: "node:http + pg", server: servers.bare, plan: "designs" },
    ],
    options,
  )
  return [
    throughput(`${name} vs node:http + pg`, medians, "node:http + pg", 1.3),
    await memory("Resident memory, limited", load, servers.limited, { ...options, plan: "limited", most: 260 }),
  ]
}
