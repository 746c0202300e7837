/** Designs over Bun's own server and Bun's own Postgres client, which pipelines: one statement, no authentication. */
import { setting } from "../support/Child.ts"
import { listening } from "./Serving.ts"

/** What this server uses of Bun. */
interface Runtime {
  readonly SQL: new (options: { readonly url: string; readonly max: number }) => Sql
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly fetch: (request: { readonly url: string }) => Promise<Response>
  }) => { readonly port: number }
}

type Sql = (
  text: TemplateStringsArray,
  ...values: ReadonlyArray<string>
) => Promise<ReadonlyArray<{ readonly wire: string }>>

const { Bun } = globalThis as unknown as { readonly Bun: Runtime }
const sql = new Bun.SQL({ url: setting("DATABASE_URL"), max: Number(process.env["POOL"] ?? 10) })
const shop = setting("SHOP")

const { port } = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async ({ url }) => {
    const id = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1))
    const [found] = await sql`SELECT wire FROM designwire.designs WHERE shop = ${shop} AND id = ${id}`
    return found === undefined
      ? new Response(null, { status: 404 })
      : new Response(found.wire, { headers: { "content-type": "application/json" } })
  },
})
listening(port)
