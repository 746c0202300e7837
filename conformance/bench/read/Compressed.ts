/** Costs and savings of compressing a page of orders. */
import { request } from "node:http"
import { type Finding, finding } from "../support/Report.ts"
import type { Load } from "./Load.ts"
import { measure, type Schedule } from "./Medians.ts"
import type { Server } from "./Server.ts"

/** A response's body as sent over the wire. */
const fetchBytes = (port: number, token: string, path: string, coding: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": coding }
    request({ host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () => {
        const came = response.headers["content-encoding"] ?? "identity"
        if (response.statusCode === 200 && came === coding) resolve(Buffer.concat(parts))
        else reject(new Error(`${path}: ${response.statusCode} in ${came}, not in ${coding}`))
      })
    })
      .on("error", reject)
      .end()
  })

/**
 * Compares the same page in every coding with one requested without `Accept-Encoding`, by processor time of the server
 * and bytes on the wire.
 */
export const compressed = async (
  load: Load,
  server: Server,
  token: string,
  path: string,
  schedule: Schedule & { readonly connections: number },
): Promise<ReadonlyArray<Finding>> => {
  const bytes: Record<string, number> = {}
  for (const coding of ["identity", "gzip", "br", "zstd"]) {
    const body = await fetchBytes(server.port, token, path, coding)
    bytes[coding] = body.length
    await load.prepare(`${path} ${coding}`, [{ path, token, coding, body: body.toString("latin1") }])
    if (coding === "identity") await load.prepare(`${path} plain`, [{ path, token, body: body.toString("utf8") }])
  }
  const names = ["plain", ...Object.keys(bytes)]
  const medians = await measure(
    load,
    names.map((name) => ({ name, server, plan: `${path} ${name}` })),
    schedule,
  )
  const plain = medians.get("plain")
  return Object.keys(bytes).flatMap((coding) => {
    const own = medians.get(coding)
    if (own === undefined || plain === undefined) return []
    const times = { designwire: own.serverTime, other: plain.serverTime }
    const sizes = { designwire: bytes[coding] ?? 0, other: bytes["identity"] ?? 0 }
    const isPlain = coding === "identity"
    return [
      finding(`${path} in ${coding}: processor time`, "µs", times, { most: isPlain ? 1.05 : 3 }, { own, plain }),
      finding(`${path} in ${coding}: over the wire`, "bytes", sizes, { most: isPlain ? 1 : 0.2 }),
    ]
  })
}
