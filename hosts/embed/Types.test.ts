/** The types that users see: made from the operations. That they do without Effect, `npm run check:api` checks. */
import { readFileSync } from "node:fs"
import { describe, expect, expectTypeOf, it } from "vitest"
import { modules } from "../../conformance/checks/functions/Functions.ts"
import type { Problem } from "../../core/model/Problem.ts"
import type { Drained } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import type { Authorize } from "../settings/Options.ts"
import type * as Embed from "./index.ts"

/** Without what a formatter changes. */
const unformatted = (text: string) =>
  text
    .replace(/\s+/g, "")
    .replace(/,(?=[)}\]>])/g, "")
    .replace(/(?<=[=<:(])\|/g, "")
    .replaceAll(";", "")

describe("The types of designwire/embed", () => {
  it("MUST be made from the operations: npm run functions", () => {
    for (const [file, text] of Object.entries(modules())) {
      expect(unformatted(readFileSync(file, "utf8"))).toBe(unformatted(text))
    }
  })

  it("MUST be the core's types, unless they are an operation's", () => {
    expectTypeOf<ReturnType<Embed.SettingsApp["authorize"]>>().toEqualTypeOf<ReturnType<Authorize>>()
    expectTypeOf<Embed.Drained>().toEqualTypeOf<Drained>()
    expectTypeOf<Embed.Problem>().toEqualTypeOf<Problem>()
  })
})
