import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, run, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const token = secrets.DESIGNWIRE_MANAGE_KEY

it.live("reseal MUST make the older key unnecessary; a start without the newest key MUST log a warning", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const url = yield* migratedDatabase
    const withKeys = (...bytes: ReadonlyArray<number>) => ({
      ...secrets,
      ...localReceivers,
      DATABASE_URL: url,
      DESIGNWIRE_ENCRYPTION_KEYS: bytes.map(key).join(","),
    })
    const shop = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }

    const first = yield* start(["serve"], withKeys(1))
    const manage = `${yield* address(first)}/manage/v1/shops/shop`
    yield* send("PUT", manage, { token, body: shop })
    const made = yield* send("POST", `${manage}/webhooks`, { token, body: { url: receiver.url("/hook") } })
    const { id, secret } = made.json() as { readonly id: string; readonly secret: string }
    receiver.trust("/hook", secret)
    yield* stop(first)

    expect(yield* run(["reseal"], withKeys(3))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`opens 1 of 1 signing secrets, .*: ${id} of the shop shop\\. `)),
    })
    expect((yield* run(["reseal"], withKeys(2, 1))).stdout).toBe(
      "Sealed 1 of 1 signing secrets with the newest key\n" +
        "You can remove the older keys from DESIGNWIRE_ENCRYPTION_KEYS once every reader of the event feed has read again. " +
        "Cursors of pages and of the feed that were made with them are then invalid\n",
    )
    expect((yield* run(["reseal"], withKeys(2, 1))).stdout).toMatch(/^Sealed 0 of 1 /)

    const second = yield* start(["serve"], withKeys(2))
    const base = `${yield* address(second)}/manage/v1/shops/shop/webhooks/${id}`
    yield* send("POST", `${base}/test`, { token })
    yield* receiver.until(() => receiver.requests.length > 0 && receiver.open.size === 0)
    expect(receiver.requests.map(({ signed }) => signed)).toEqual([true])
    expect((yield* stop(second)).stdout).not.toContain("WARN")

    for (const command of ["serve", "worker"]) {
      const wrong = yield* start([command], withKeys(1))
      yield* wrong.line(new RegExp(`WARN .*opens 1 of 1 signing secrets, .*: ${id} of the shop shop\\. Add the key`))
      yield* wrong.line(/ready/)
      expect((yield* stop(wrong)).code).toBe(0)
    }
  }),
)
