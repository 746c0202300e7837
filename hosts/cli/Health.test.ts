/** `designwire health`: its exit codes and its one line. */
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listening } from "../../conformance/testkit/hosts/Embedded.ts"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import {
  address,
  run,
  start,
  temporaryDirectory,
  usedDataDirectory,
} from "../../conformance/testkit/processes/Processes.ts"

const health = (environment: Readonly<Record<string, string>>) => run(["health"], environment)

it.live("MUST end with 0 and print nothing while `designwire serve` answers, and with 1 afterwards", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const environment = { PORT: String(yield* Effect.promise(freePort)), DESIGNWIRE_DATA_DIR: yield* usedDataDirectory }
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* address(yield* start(["serve"], environment))
        expect(yield* health(environment)).toMatchObject({ code: 0, stdout: "", stderr: "" })
        const file = join(directory, "port")
        writeFileSync(file, `${environment.PORT}\n`)
        expect(yield* health({ PORT: "", PORT_FILE: file })).toMatchObject({ code: 0, stderr: "" })
      }),
    )
    const stderr = `http://127.0.0.1:${environment.PORT}/livez: ECONNREFUSED\n`
    expect(yield* health(environment)).toMatchObject({ code: 1, stdout: "", stderr })
  }),
)

it.live.each(["0.0.0.0", "::"])("MUST look on this machine if the service listens on all addresses: %s", (HOST) =>
  Effect.gen(function* () {
    const server = createServer((_, response) => response.end("ok"))
    yield* Effect.callback<void>((resume) => void server.listen(0, HOST, () => resume(Effect.void)))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    const { port } = server.address() as AddressInfo
    expect(yield* health({ HOST, PORT: String(port) })).toMatchObject({ code: 0, stderr: "" })
  }),
)

it.live("MUST end with 1 and one line if the answer is another one, or none comes within two seconds", () =>
  Effect.gen(function* () {
    const failing = yield* listening((_, response) => response.writeHead(503).end())
    const silent = yield* listening(() => undefined)
    for (const [port, reason] of [
      [failing, "answered with 503"],
      [silent, "no answer within 2 seconds"],
    ] as const) {
      const stderr = `http://127.0.0.1:${port}/livez: ${reason}\n`
      expect(yield* health({ PORT: String(port) })).toMatchObject({ code: 1, stdout: "", stderr })
    }
  }),
)

it.live.each([
  [{ PORT: "many" }, "PORT: must be a port, 0 to 65535\n"],
  [{ PORT: "0" }, "PORT: is 0, so the service listens on a port that only its log has\n"],
  [{ HOST_FILE: "/nowhere" }, "HOST_FILE: can't be read (ENOENT)\n"],
] as const)("MUST end with 1 and one line if the configuration can't be used: %o", ([environment, stderr]) =>
  Effect.gen(function* () {
    expect(yield* health(environment)).toMatchObject({ code: 1, stdout: "", stderr })
  }),
)

it.live("MUST be a command of the help", () =>
  Effect.gen(function* () {
    expect((yield* run(["--help"])).stdout).toMatch(/^ +health +Say whether/m)
  }),
)
