/** Every suite over the adapters and hosts that need no database, as tests of vitest. */
import { Effect } from "effect"
import { describe, it } from "vitest"
import { layerShared, makeState } from "../../../../adapters/memory/Memory.ts"
import { layerLookup, layerSender } from "../../../../adapters/node/index.ts"
import { register, sender, service, storage } from "../../../index.ts"
import { serverOn } from "../../../testkit/hosts/ServedService.ts"
import { memory } from "../../../testkit/hosts/TestHost.ts"

register(
  storage({
    open: Effect.sync(() => layerShared(makeState())),
    lacks: { transaction: "memory has none", faults: "nothing lies between a host and its memory" },
  }),
  { describe, it },
)
register(
  sender({
    sender: (authority) => layerSender({ trust: [authority] }),
    lookup: (server) => layerLookup({ servers: [server], hostsFile: null }),
  }),
  { describe, it },
)
register(service(await serverOn(memory)), { describe, it })
