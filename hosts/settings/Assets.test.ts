import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

it("The script and the style sheet MUST be built from their current sources", async () => {
  const program = join(import.meta.dirname, "../../.ci/settings-assets.mjs")
  const { stderr } = await promisify(execFile)(process.execPath, [program, "--check"])
  expect(stderr).toBe("")
})
