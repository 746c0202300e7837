/** The storage suite over eight buckets: in one database, and in two. */
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { Cut, OuterTransaction, register, storage } from "../../conformance/index.ts"
import { newDeployment, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import { noPgBouncer, pgBouncer } from "../../conformance/testkit/databases/PgBouncer.ts"
import { variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { layer } from "./index.ts"

/** Hosts over eight buckets, each host with connections of its own, through poolers if they are given. */
const hosts = Effect.fnUntraced(function* (names: ReadonlyArray<string>, pooler?: Parameters<typeof newDeployment>[2]) {
  const wires = yield* newDeployment(names, 8, pooler)
  return Layer.unwrap(
    Effect.map(openDatabases(wires, 8), ({ databases, first }) =>
      Layer.mergeAll(
        layer({ databases }),
        Layer.succeed(OuterTransaction, { run: first.withTransaction }),
        Layer.succeed(
          Cut,
          Effect.forEach(Object.values(wires), ({ cut }) => cut, { discard: true }),
        ),
      ),
    ),
  )
})

register(storage({ name: "storage in 8 buckets of one database", ...variantCases, open: hosts(["first"]) }), {
  describe,
  it,
})

if (noPgBouncer === undefined) {
  register(
    storage({
      name: "storage in 8 buckets of two databases behind PgBouncer",
      ...variantCases,
      lacks: {
        transaction: "no transaction spans the databases of all shops",
        faults: "the suite over two databases cuts the same connections",
      },
      open: hosts(["first", "second"], (url) => pgBouncer(url, { poolSize: 40 })),
    }),
    { describe, it },
  )
}

register(
  storage({
    name: "storage in 8 buckets of two databases",
    ...variantCases,
    lacks: { transaction: "no transaction spans the databases of all shops" },
    open: hosts(["first", "second"]),
  }),
  { describe, it },
)
