import { Effect } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { layerShared, makeState } from "./Memory.ts"

register(
  storage({
    open: Effect.sync(() => layerShared(makeState())),
    lacks: {
      transaction: "memory has no transaction that an embedder could open",
      faults: "nothing lies between a host and its memory",
    },
  }),
  { describe, it },
)
