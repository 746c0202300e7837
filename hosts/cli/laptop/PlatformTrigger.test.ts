/** `designwire trigger` with webhooks of shop platforms, against a host of this machine. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { runHere } from "../../../conformance/testkit/processes/InProcess.ts"
import {
  address,
  keptManageKey,
  send,
  start,
  stop,
  usedDataDirectory,
} from "../../../conformance/testkit/processes/Processes.ts"
import { laptopCommands } from "./Commands.ts"

const designwire = Command.make("designwire").pipe(Command.withSubcommands(laptopCommands))

/** The command within this process: `Laptop.test.ts` starts it as one. */
const triggered = (parameters: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  runHere(Command.runWith(designwire, { version: "0" })(["trigger", ...parameters]), environment)

const secrets = {
  DESIGNWIRE_SHOPIFY_SECRET: "shpss_0123456789abcdef",
  DESIGNWIRE_WOOCOMMERCE_SECRET: "a-woo-secret-of-24-letters",
}

it.live(
  "trigger MUST send signed orders of both platforms, which the host places and cancels, and logs no secret",
  () =>
    Effect.gen(function* () {
      const directory = yield* usedDataDirectory
      const environment = { ...secrets, DESIGNWIRE_DATA_DIR: directory }
      const process = yield* start(["serve", "--demo"], { ...environment, DESIGNWIRE_ACCESS_LOG: "true" })
      const base = yield* address(process)
      const [, token = ""] = yield* process.line(/^ *curl -H 'Authorization: Bearer (\S+)'/)
      const trigger = (...parameters: ReadonlyArray<string>) =>
        triggered(["--url", base, ...parameters], { ...environment, DESIGNWIRE_INGEST_PROPERTY: "" })
      const statusOf = (id: string) =>
        Effect.map(send("GET", `${base}/api/v1/orders/${id}`, { token }), (answer) => [
          answer.status,
          (answer.json() as { readonly status?: string }).status,
        ])

      const created = yield* trigger("shopify:orders/create", "--order", "1001")
      expect([created.code, created.stdout.trim()]).toEqual([
        0,
        `shopify:orders/create: order 1001 with the design trigger-1001 to ${base}/ingest/shopify/demo: 200 applied`,
      ])
      expect(yield* statusOf("1001")).toEqual([200, "ordered"])
      const again = yield* trigger("shopify:orders/updated", "--order", "1001", "--design", "trigger-1001")
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("200 applied")])
      const cancelled = yield* trigger("shopify:orders/cancelled", "--order", "1001")
      expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining("200 applied")])
      expect(yield* statusOf("1001")).toEqual([200, "cancelled"])
      const redacted = yield* trigger("shopify:customers/redact", "--order", "1001")
      expect(redacted.stdout).toContain('200 applied: Redacted the orders "1001"')

      const to = `${base}/ingest/woocommerce/demo`
      const foreign = yield* trigger("woocommerce:order.created", "--order", "7", "--design", "none", "--to", to)
      expect([foreign.code, foreign.stdout]).toEqual([
        0,
        expect.stringContaining("200 waiting: The shop has no design"),
      ])
      const woo = yield* trigger("woocommerce:order.created", "--order", "8")
      expect([woo.code, woo.stdout]).toEqual([0, expect.stringContaining("200 applied")])
      expect((yield* trigger("woocommerce:order.deleted", "--order", "8")).code).toBe(0)
      expect(yield* statusOf("8")).toEqual([200, "cancelled"])

      const wrong = yield* triggered(["--url", base, "--shop", "demo", "shopify:orders/create"], {
        ...environment,
        DESIGNWIRE_SHOPIFY_SECRET: "another-secret-0123",
      })
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("401 The signature is missing")])
      yield* process.line(/POST \/ingest\/shopify\/:shop 200 in/)
      yield* process.line(/POST \/ingest\/shopify\/:shop 401 in/)
      const { stderr, stdout } = yield* stop(process)
      for (const secret of Object.values(secrets)) expect(stdout + stderr).not.toContain(secret)
      expect(keptManageKey(directory)).not.toBe("")
    }),
)

it.live("trigger MUST say what is missing for the webhook of a platform", () =>
  Effect.gen(function* () {
    const failing = (environment: Readonly<Record<string, string>>, ...parameters: ReadonlyArray<string>) =>
      Effect.map(triggered(parameters, environment), ({ code, stderr }) => [code, stderr.trim()])
    const local = "http://127.0.0.1:9/ingest/shopify/acme"
    expect(yield* failing({}, "shopify:orders/create")).toEqual([
      1,
      "Give the secret that the host has: DESIGNWIRE_SHOPIFY_SECRET",
    ])
    expect(yield* failing(secrets, "shopify:orders/cancelled", "--to", local)).toEqual([
      1,
      "shopify:orders/cancelled is about an order: name it with --order",
    ])
    expect(yield* failing(secrets, "shopify:orders/create", "--to", local)).toEqual([
      1,
      "Say which design the order has: --design. With --to none is made",
    ])
    expect(yield* failing(secrets, "shopify:orders/create", "--to", local, "--order", "#7")).toEqual([
      1,
      "--order must be a number of at most 15 digits, as the ids of the platforms are",
    ])
    expect(yield* failing(secrets, "shopify:orders/create", "--to", "https://shop.example.com/ingest")).toEqual([
      1,
      expect.stringContaining("--url must be a host on this machine"),
    ])
  }),
)
