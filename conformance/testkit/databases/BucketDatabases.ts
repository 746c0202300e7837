/** Deployments with buckets for tests: databases with wires that can be cut, and hosts over them. */
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { layerDatabase, type PostgresOptions } from "../../../adapters/postgres/index.ts"
import { cuttableWire } from "./CuttableWire.ts"
import { freshDatabase } from "./Database.ts"

/** Returns the URL of a pooler in transaction mode in front of a database. */
type Pooler = (url: string) => Effect.Effect<string, unknown, Scope.Scope>

/** Returns the URL of a new database. */
type Fresh = (name: string) => Effect.Effect<string, unknown, Scope.Scope>

/** New databases with these names, and with poolers in front of them if they are given. */
export const newDatabases = <const Name extends string>(
  names: ReadonlyArray<Name>,
  pooler?: Pooler,
  fresh: Fresh = () => freshDatabase,
) =>
  Effect.map(
    Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        const wire = yield* cuttableWire(yield* fresh(name))
        const direct = Redacted.make(wire.url)
        const options: PostgresOptions =
          pooler === undefined
            ? { url: direct }
            : { url: Redacted.make(yield* pooler(wire.url)), pooler: "transaction", listenUrl: direct }
        return [name, { ...wire, options }] as const
      }),
    ),
    (all) => Object.fromEntries(all) as Record<Name, (typeof all)[number][1]>,
  )

type Databases = Effect.Success<ReturnType<typeof newDatabases>>

/** A deployment's databases, opened until the scope closes. */
export const openDatabases = Effect.fnUntraced(function* (databases: Databases, buckets: number) {
  const services = yield* Effect.forEach(Object.entries(databases), ([name, { options }]) =>
    Effect.map(Layer.build(Layer.fresh(layerDatabase(options))), (built) => [name, built] as const),
  )
  const clients = services.map(([name, built]) => [name, Context.get(built, SqlClient.SqlClient)] as const)
  const deployment: Buckets.Deployment = { databases: Object.fromEntries(clients), buckets, schema: "designwire" }
  const layers = Object.fromEntries(services.map(([name, built]) => [name, Layer.succeedContext(built)]))
  return { deployment, databases: layers, first: clients[0]?.[1] as SqlClient.SqlClient }
})

/** New databases with the buckets of a new deployment. */
export const newDeployment = Effect.fnUntraced(function* <const Name extends string>(
  names: ReadonlyArray<Name>,
  buckets: number,
  pooler?: Pooler,
  fresh?: Fresh,
) {
  const databases = yield* newDatabases(names, pooler, fresh)
  yield* Effect.scoped(
    Effect.flatMap(openDatabases(databases, buckets), ({ deployment }) => Buckets.migrate(deployment)),
  )
  return databases
})
