import { Effect } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { openPostgres } from "../../conformance/worlds/PostgresStore.ts"

register(storage({ open: Effect.flatMap(freshDatabase, openPostgres) }), { describe, it })
