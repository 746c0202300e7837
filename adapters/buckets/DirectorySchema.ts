/** The tables of the directory, in a schema of their own in the first database: `designwire_directory`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { directoryChannel as channel } from "../sql/schema/DirectoryChanges.ts"
import { runMigrations } from "../sql/schema/RunMigrations.ts"
import { clientIn, inSchema } from "../sql/schema/Schema.ts"

/** The schema of the directory of a deployment. */
export const directorySchema = (schema: string): string => `${schema}_directory`

/** The channel on which hosts hear that the directory has changed. */
export const directoryChannel = (schema: string): string => inSchema(schema)(channel)

/** Released, as the migrations of stores are: what changes is added at the end. */
const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1_directory": [
    `CREATE TABLE designwire.buckets (
  bucket integer PRIMARY KEY,
  database text NOT NULL,
  -- How often it has moved
  epoch integer NOT NULL DEFAULT 0
)`,
    // Shops that are in another bucket than their hash says.
    `CREATE TABLE designwire.shops (
  shop text COLLATE "C" PRIMARY KEY,
  bucket integer NOT NULL
)`,
    // Written before a token is stored and deleted after it is revoked: a row says where to look, no more.
    `CREATE TABLE designwire.tokens (
  digest text COLLATE "C" PRIMARY KEY,
  shop text COLLATE "C" NOT NULL
)`,
    // Moves that have begun and have not ended (Move.ts).
    `CREATE TABLE designwire.moves (
  bucket integer PRIMARY KEY,
  source text NOT NULL,
  target text NOT NULL,
  -- copying, or switching once the source is closed
  phase text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now()
)`,
    // The migration of stores that hosts must know at least, as the newest version that began to migrate says.
    `CREATE TABLE designwire.stores (
  migration integer NOT NULL
)`,
  ],
  "2_shop_moves": [
    // Moves of single shops that have begun and have not ended (MoveShop.ts).
    `CREATE TABLE designwire.shop_moves (
  shop text COLLATE "C" PRIMARY KEY,
  -- Buckets. The shop is in the target once its phase is leaving
  source integer NOT NULL,
  target integer NOT NULL,
  -- copying, switching while the source refuses writes, or leaving while it is cleared
  phase text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  switched_at timestamptz(3),
  -- In the names of what the move makes in the source
  number integer GENERATED ALWAYS AS IDENTITY,
  -- The command that moves the shop. An earlier one changes nothing any more
  command text NOT NULL
)`,
    // Whether a shop has not moved since before there were buckets (Adopt.ts).
    "ALTER TABLE designwire.shops ADD COLUMN adopted boolean NOT NULL DEFAULT false",
  ],
}

/** Brings the directory up to date, within the current transaction. */
export const migrateDirectory = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string) {
  const own = directorySchema(schema)
  yield* sql.unsafe(`CREATE SCHEMA IF NOT EXISTS "${own}"`)
  yield* Effect.provideService(runMigrations(migrations), SqlClient.SqlClient, clientIn(sql, own))
})
