import { Effect } from "effect"
import { storageSuite } from "../../conformance/storage/suite.ts"
import { layerShared, makeState } from "./Memory.ts"

storageSuite("memory", {
  open: Effect.sync(() => layerShared(makeState())),
  lacks: { transaction: "memory has no transaction that an embedder could open" },
})
