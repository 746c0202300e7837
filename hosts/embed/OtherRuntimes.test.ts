/** Runtimes other than Node: the service can be used there, and the worker refuses to start. */
import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { encryptionKeys } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { installBun } from "../../conformance/testkit/processes/Bun.ts"
import { imitatingDeno } from "../../conformance/testkit/processes/Processes.ts"

const root = resolve(import.meta.dirname, "../..")
const bun = await installBun()

const program = `
import { createDesignwire } from "./hosts/embed/index.ts"
const designwire = await createDesignwire({ database: { memory: true }, encryptionKeys: "${encryptionKeys}" })
for (const call of [() => designwire.start(), () => designwire.drain({ max: 1, seconds: 1 })]) {
  await call().then(() => console.log("works"), (error) => console.log(error.code, error.message))
}
const { status } = await designwire.handler(new Request("http://localhost/api/v1/orders"))
console.log(status)
await designwire.stop()
`

it.each([
  ["Bun", [bun, "-e"]],
  ["Deno", [process.execPath, ...imitatingDeno, "--input-type=module", "-e"]],
] as const)(
  "on %s start and drain MUST be refused, naming Node, and requests MUST be answered",
  async (name, command) => {
    const [file, ...parameters] = command
    const { NODE_OPTIONS: _, ...environment } = process.env
    const { stdout } = await promisify(execFile)(file, [...parameters, program], { cwd: root, env: environment })
    const refused = `Delivering webhooks needs Node 22.19.0 or newer, and this is ${name} `
    expect(stdout.split("\n")).toEqual([expect.stringContaining(refused), expect.stringContaining(refused), "401", ""])
  },
)
