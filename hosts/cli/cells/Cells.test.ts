/** The command between two cells. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { migratedDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { runHere } from "../../../conformance/testkit/processes/InProcess.ts"
import {
  address,
  run,
  secrets,
  send,
  start,
  stop,
  temporaryDirectory,
} from "../../../conformance/testkit/processes/Processes.ts"
import { host, newEndpoint, newShop } from "../../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../../conformance/testkit/workers/WebhookReceiver.ts"
import { doctor } from "../Doctor.ts"
import { cellCommands } from "./Commands.ts"

const designwire = Command.make("designwire").pipe(Command.withSubcommands(cellCommands))

const token = secrets.DESIGNWIRE_MANAGE_KEY

it.live(
  "shop move MUST say what it does, and hosts with the map MUST serve the shops of their cell alone (D93, D94)",
  () =>
    Effect.gen(function* () {
      const [first, second] = [yield* migratedDatabase, yield* migratedDatabase]
      const receiver = yield* webhookReceiver(() => Effect.succeed(204))
      const [shop, stays] = yield* Effect.gen(function* () {
        const shop = yield* newShop
        yield* newEndpoint(shop, receiver, "/hook")
        return [shop, yield* newShop] as const
      }).pipe(Effect.provide(host(first)))
      const moving = (parameters: ReadonlyArray<string>) => [
        ...["shop", "move", ...parameters, "--from", first, "--to", second],
      ]
      const move = (parameters: ReadonlyArray<string>, environment = secrets) =>
        runHere(Command.runWith(designwire, { version: "0" })(moving(parameters)), environment)
      expect(yield* move([shop, "--dry-run"])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("can move from"),
      })
      expect(yield* move(["nobody", "--dry-run"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("has no shop nobody"),
      })
      const keys = { ...secrets, DESIGNWIRE_ENCRYPTION_KEYS: Buffer.alloc(32, 8).toString("base64") }
      expect(yield* move([shop], keys)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("None of DESIGNWIRE_ENCRYPTION_KEYS opens 1 of 1"),
      })
      const file = join(yield* temporaryDirectory, "shops.txt")
      writeFileSync(file, `# the large ones\n${shop}\n`)
      const opened = join(yield* temporaryDirectory, "opened")
      const moved = yield* run(moving(["--file", file, "--opened", `echo now >> ${opened}`]), secrets)
      expect(readFileSync(opened, "utf8")).toBe("now\n")
      expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining(`${shop} is in 127.0.0.1`)])
      expect(moved.stdout + moved.stderr).not.toContain("postgres:postgres@")
      expect((yield* move([shop, "--undo"])).stderr).toContain("Move it back")
      expect((yield* move([shop, "--undo", "--target-lost"])).stderr).toContain("answers, so it is not lost")
      expect((yield* move([shop, "--target-lost"])).stderr).toContain("is only for --undo")

      const source = { ...secrets, DATABASE_URL: first }
      expect((yield* runHere(doctor(), source)).stdout).toContain(`note\tcell: ${shop} moved to another cell`)
      const map = join(yield* temporaryDirectory, "shops.map")
      // As of before the move: hosts go by the map, and not by what a restored database says.
      writeFileSync(map, `${shop} second\n${stays} second;\n`)
      const placed = { ...source, DESIGNWIRE_CELL: "first", DESIGNWIRE_CELLS_FILE: map }
      expect((yield* runHere(doctor(), placed)).stdout).toContain(
        `WRONG\tcell: ${stays}: here, but the map places them`,
      )
      const serving = yield* start(["serve"], placed)
      const base = yield* address(serving)
      const read = (id: string) =>
        Effect.map(send("GET", `${base}/manage/v1/shops/${id}`, { token }), ({ status }) => status)
      expect([yield* read(shop), yield* read(stays)]).toEqual([503, 503])
      writeFileSync(map, `${shop} second\n${stays} first\n`)
      yield* Effect.repeat(Effect.delay(read(stays), "50 millis"), { until: (status) => status === 200 })
      expect(yield* read(shop)).toBe(503)
      expect((yield* stop(serving)).code).toBe(0)
      expect((yield* runHere(doctor(), placed)).stdout).toContain(
        "ok\tcell: has the 1 shops that the map places in first",
      )
    }).pipe(Effect.scoped),
)
