/** `POST …/settings-link` of the management API. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { manage, memory, newShop, onHosts, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"
import { troubles } from "../../conformance/testkit/hosts/Troubled.ts"

onHosts("POST …/settings-link", [memory, ...troubles(memory, "faltering")], (it) => {
  it.effect("MUST answer 201 with a link and its end, and 404 without the shop (D58)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      const input = { actor: "öwner\u{1F511}", next: "webhooks/new", readOnly: true }
      const { json, status } = yield* manage(send, "POST", `/shops/${id}/settings-link`, input)
      expect([status, json]).toEqual([
        201,
        {
          url: expect.stringMatching(new RegExp(`^/settings/${id}/link\\?sig=`)),
          expires: expect.stringMatching(/\+00:00$/),
        },
      ])
      expect((yield* manage(send, "POST", "/shops/none/settings-link", input)).status).toBe(404)
    }),
  )

  it.effect("MUST refuse input that is not valid, and name the fields", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      const actor = "jo"
      const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
      for (const [input, status, field] of [
        [{}, 400, "actor"],
        [{ actor: "" }, 400, "actor"],
        [{ actor: "a\0b" }, 400, "actor"],
        [{ actor: "x".repeat(256) }, 400, "actor"],
        [{ actor: 1 }, 400, "actor"],
        [{ actor, expires: later(-1) }, 400, "expires"],
        [{ actor, expires: later(25) }, 400, "expires"],
        [{ actor, expires: "tomorrow" }, 400, "expires"],
        [{ actor, expires: 900 }, 400, "expires"],
        [{ actor, next: "//evil.test" }, 400, "next"],
        [{ actor, next: "https://evil.test/" }, 400, "next"],
        [{ actor, next: "../../other/" }, 400, "next"],
        [{ actor, next: "/webhooks" }, 400, "next"],
        [{ actor, readOnly: "yes" }, 400, "readOnly"],
        [{ actor, readonly: true }, 422, "readonly"],
      ] as const) {
        const answer = yield* manage(send, "POST", `/shops/${id}/settings-link`, input)
        const { problems } = answer.json as { readonly problems?: ReadonlyArray<{ readonly path: string }> }
        expect([input, answer.status, problems?.map(({ path }) => path)]).toEqual([input, status, [field]])
      }
    }),
  )
})
