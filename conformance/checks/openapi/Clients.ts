/** Client generators: their clients of the documents must compile, and so must programs that use them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ApiName } from "./Documents.ts"
import { directory, type Ran, tool } from "./Tools.ts"

/** Generates a client into a folder, and writes a program that uses it. */
interface Generator {
  readonly make: (api: ApiName, folder: string) => Ran
  /** A user's program with the REST API's client. */
  readonly use: string
}

const configured = (folder: string, file: string, text: string): string => {
  mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, folder, file), text)
  return join(folder, file)
}

/** Generators by name. */
export const generators: Readonly<Record<string, Generator>> = {
  "Hey API": {
    make: (api, folder) =>
      tool("openapi-ts", [
        ...["--input", `${api}.json`, "--output", `${folder}/made`],
        ...["--plugins", "@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
      ]),
    use: `import { client } from "./made/client.gen"
import { readCustomizer, readDesign, readOrder } from "./made/sdk.gen"
client.setConfig({ baseUrl: "https://shop.example.com", auth: () => "cmz_…" })
const { data: order } = await readOrder({ path: { platformOrderId: "1001" } })
const { data: design } = await readDesign({ path: { id: order?.designs[0]?.id ?? "" } })
const { data: customizer, error } = await readCustomizer({ path: { id: design?.customizer.id ?? 1 } })
export const views: Array<string> | undefined = customizer?.definition?.steps.map((step) => step.view)
export const why: string | undefined = error?.message
`,
  },
  "openapi-typescript": {
    make: (api, folder) => tool("openapi-typescript", [`${api}.json`, "--output", `${folder}/made.ts`]),
    use: `import createClient from "openapi-fetch"
import type { components, paths, webhooks } from "./made"
const client = createClient<paths>({ baseUrl: "https://shop.example.com", headers: { Authorization: "Bearer cmz_…" } })
const { data, error } = await client.GET("/api/v1/orders", { params: { query: { limit: 10 } } })
export const totals: ReadonlyArray<number> = data?.data.map((order) => order.total) ?? []
export const next: string | null | undefined = data?.pagination.nextCursor
export const why: string | undefined = error?.message
export const price = (design: components["schemas"]["Design"]): number => design.price.total
type Ordered = webhooks["design.ordered"]["post"]["requestBody"]["content"]["application/json"]
export const ordered = ({ data }: Ordered): string => data.design.id
`,
  },
  orval: {
    make: (api, folder) => {
      const output = { target: "./made.ts", client: "fetch", mode: "single", baseUrl: "https://shop.example.com" }
      const options = { api: { input: `../../${api}.json`, output } }
      return tool("orval", [
        "--config",
        configured(folder, "orval.config.cjs", `module.exports = ${JSON.stringify(options)}\n`),
      ])
    },
    use: `import { readDesign, type Design } from "./made"
const answer = await readDesign("dsn_1", { headers: { Authorization: "Bearer cmz_…" } })
export const design: Design | undefined = answer.status === 200 ? answer.data : undefined
export const total: number | undefined = design?.price.total
`,
  },
  Kubb: {
    make: (api, folder) =>
      tool("kubb", [
        "generate",
        "--config",
        configured(
          folder,
          "kubb.config.mjs",
          `import { defineConfig } from "@kubb/core"
import { pluginClient } from "@kubb/plugin-client"
import { pluginOas } from "@kubb/plugin-oas"
import { pluginTs } from "@kubb/plugin-ts"
export default defineConfig({
  root: ${JSON.stringify(join(directory, folder))},
  input: { path: "../../${api}.json" },
  output: { path: "./made", clean: true, format: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: "fetch" })],
})
`,
        ),
      ]),
    use: `import { readOrder, type Order } from "./made"
const order: Order = await readOrder("1001", { baseURL: "https://shop.example.com" })
export const designs: ReadonlyArray<string> = order.designs.map((design) => design.id)
`,
  },
}

const compiler = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ["**/*.ts"],
}

/** Generates a client of an API and compiles it; returns the problem, if any. */
export const problemsOf = (name: string, api: ApiName): string | undefined => {
  const generator = generators[name]
  if (generator === undefined) return "There is no such generator"
  const folder = `clients/${name.toLowerCase().replaceAll(/\W/g, "-")}-${api}`
  rmSync(join(directory, folder), { recursive: true, force: true })
  configured(folder, "tsconfig.json", JSON.stringify(compiler))
  const made = generator.make(api, folder)
  if (!made.ok) return made.output
  if (api === "rest") configured(folder, "use.ts", generator.use)
  const compiled = tool("tsc", ["--project", folder])
  return compiled.ok ? undefined : compiled.output
}
