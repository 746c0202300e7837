import { readFileSync } from "node:fs"
import { deserialize } from "node:v8"
import { brotliDecompressSync } from "node:zlib"
import { expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }

it("the new cluster MUST come from the PGlite that an installation gets: `npm run cluster` writes it", () => {
  const { version } = deserialize(brotliDecompressSync(readFileSync(new URL("cluster.br", import.meta.url))))
  expect(version).toBe(manifest.optionalDependencies["@electric-sql/pglite"])
})
