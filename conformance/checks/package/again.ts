/**
 * Checks that another build makes the same bytes, so that anybody can compare the published tarball with the commit:
 * `npm run check:rebuild`. Packs what the last build made.
 */
import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { rebuild } from "../../testkit/processes/Rebuild.ts"
import { pack } from "./Installation.ts"

const directory = await mkdtemp(join(tmpdir(), "designwire-again-"))
try {
  const tarball = await pack(join(directory, "packed"))
  const copy = join(directory, "again")
  const [one, other] = await Promise.all([readFile(tarball), readFile(await rebuild(copy))])
  if (!one.equals(other)) {
    const dist = resolve(import.meta.dirname, "../../../dist")
    const { stdout } = spawnSync("diff", ["-rq", dist, join(copy, "dist")], { encoding: "utf8" })
    console.error(`Another build makes another tarball:\n${stdout}`)
    process.exitCode = 1
  }
} finally {
  await rm(directory, { recursive: true })
}
