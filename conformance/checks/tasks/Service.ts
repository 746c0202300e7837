/** The service of the package in a folder, and a shop in it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../../testkit/processes/FreePort.ts"
import type { Attempt } from "./Attempt.ts"
import type { Program, Variables } from "./Program.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name, and a check fails on one that has another form.
export type Json = any

const definition = {
  schemaVersion: 1,
  steps: [{ id: "look", title: "Look", view: "front" }],
  questions: [
    {
      ...{ id: "metal", step: "look", title: "Metal", type: "single", required: true },
      answers: [
        { id: "silver", title: "Silver", productionCode: "AG925" },
        { id: "gold", title: "Gold", productionCode: "AU750", price: 40_000 },
      ],
    },
    { id: "engraving", step: "look", title: "Engraving", type: "text", maxLength: 40 },
  ],
  rules: [],
}

/** Lets designwire send webhooks to this machine, by plain http. */
export const local: Variables = { DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8", DESIGNWIRE_ALLOW_HTTP: "true" }

export interface Choices {
  readonly metal?: string
  readonly engraving?: string
  readonly orderedAt?: string
}

export class Service {
  readonly program: Program
  readonly url: string
  readonly key: string
  /** The shop of every call. */
  readonly shop = "acme"

  constructor(program: Program, url: string, key: string) {
    this.program = program
    this.url = url
    this.key = key
  }

  static async start(attempt: Attempt, data: string, variables: Variables): Promise<Service> {
    const port = await freePort()
    // No optimized code for the embedded database: compiling it takes longer than a check.
    const program = attempt.start("exec node --liftoff-only node_modules/designwire/dist/hosts/cli/main.js serve", {
      ...local,
      DESIGNWIRE_RATE_LIMIT: "100000",
      DESIGNWIRE_DATA_DIR: data,
      PORT: String(port),
      ...variables,
    })
    await program.until(() => program.stdout.includes("ready at"), "the service is ready")
    return new Service(program, `http://127.0.0.1:${port}`, readFileSync(join(data, "manage-key"), "utf8").trim())
  }

  /** Starts the service of the installed package on a Postgres database. `variables` has the keys. */
  static async on(attempt: Attempt, url: string, variables: Variables): Promise<Service> {
    const [port, given] = [await freePort(), { ...local, ...variables, DATABASE_URL: url }]
    await attempt.run("designwire migrate", given)
    const program = attempt.start("exec designwire serve", { ...given, PORT: `${port}` })
    await program.until(() => program.stdout.includes("ready at"), "the service is ready")
    return new Service(program, `http://127.0.0.1:${port}`, variables["DESIGNWIRE_MANAGE_KEY"] ?? "")
  }

  /** Makes a request of the management API for the shop, and fails unless it succeeds. */
  async manage(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(`${this.url}/manage/v1/shops/${this.shop}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    return text === "" ? undefined : JSON.parse(text)
  }

  /** Makes the shop and its ring, the customizer 1. */
  async furnish(): Promise<void> {
    const site = "https://acme.example.com"
    await this.manage("PUT", "", { domain: "acme.example.com", currency: "EUR", imageBase: site })
    await this.manage("PUT", "/customizers/1", {
      title: "Ring",
      platformProductId: "gid://acme/Product/1",
      assetBase: site,
    })
    await this.manage("POST", "/customizers/1/publish", { definition })
  }

  /** Places an order of a ring. */
  async order(id: string, { engraving, metal = "silver", orderedAt = "2026-11-20T12:00:00Z" }: Choices = {}) {
    const text = engraving === undefined ? {} : { engraving: { text: engraving } }
    const design = { customizerId: 1, basePrice: 12_900, selection: { metal, ...text } }
    await this.manage("PUT", `/designs/design-${id}`, design)
    const lines = [{ designId: `design-${id}`, lineItemId: "1" }]
    await this.manage("PUT", `/orders/${id}`, { name: `#${id}`, orderedAt, lines })
  }

  async token(): Promise<string> {
    return (await this.manage("POST", "/tokens", { name: "Check" })).token
  }

  /** Reads the REST API with a token. */
  async read(path: string, token: string): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, text: await response.text() }
  }
}

/** Waits until something is true; answers whether it came true in time. */
export const eventually = async (holds: () => boolean | Promise<boolean>, milliseconds = 15_000): Promise<boolean> => {
  for (const begin = performance.now(); performance.now() - begin < milliseconds; await pause(20)) {
    if (await holds()) return true
  }
  return false
}
