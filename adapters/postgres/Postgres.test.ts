import { Effect } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { openPostgres } from "../../conformance/testkit/databases/PostgresStore.ts"

register(storage({ open: Effect.flatMap(freshDatabase, openPostgres) }), { describe, it })
