import { expect, it } from "vitest"
import { validSecrets } from "./SecretRotation.ts"

it("Valid secrets MUST be both during a rotation, the old one first, and one otherwise (D40, D41)", () => {
  const running = { secret: "old", rotation: { secret: "new", until: 1_000 } }
  expect(validSecrets(running, 999)).toEqual(["old", "new"])
  expect(validSecrets(running, 1_000)).toEqual(["new"])
  expect(validSecrets({ secret: "old", rotation: null }, 999)).toEqual(["old"])
})
