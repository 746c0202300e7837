import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { mapped } from "../statements/Errors.ts"

/** `SettingsSessions` over SQL: used ids and epochs are rows of one table, with different prefixes of their ids. */
export const layerSettingsSessions: Layer.Layer<SettingsSessions, never, SqlClient.SqlClient> = Layer.effect(
  SettingsSessions,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SettingsSessions.of({
      standing: ({ owner, session, shop }) =>
        sql<{ id: string; epoch: number }>`SELECT id, epoch::float8 AS epoch FROM designwire.settings_marks
WHERE shop = ${shop} AND id IN (${usedId(session)}, ${epochOf(owner)})`.pipe(
          Effect.map((marks) => ({
            isEnded: marks.some(({ id }) => id === usedId(session)),
            epoch: marks.find(({ id }) => id === epochOf(owner))?.epoch ?? 0,
          })),
          mapped("Reading a session of the settings app"),
        ),
      spend: ({ id, shop, until }) =>
        sql`INSERT INTO designwire.settings_marks (shop, id, epoch, until)
VALUES (${shop}, ${usedId(id)}, 0, ${format(until)}::timestamptz) ON CONFLICT (shop, id) DO NOTHING RETURNING 1 AS spent`.pipe(
          Effect.map((rows) => rows.length > 0),
          mapped("Using a link or a session of the settings app"),
        ),
      endAll: ({ now, owner, shop, until }) =>
        sql`INSERT INTO designwire.settings_marks AS m (shop, id, epoch, until)
VALUES (${shop}, ${epochOf(owner)}, ${String(now)}::int8, ${format(until)}::timestamptz)
ON CONFLICT (shop, id) DO UPDATE SET epoch = greatest(excluded.epoch, m.epoch + 1), until = greatest(excluded.until, m.until)`.pipe(
          Effect.asVoid,
          mapped("Ending sessions of the settings app"),
        ),
    }),
  ),
)

/** The id of the row that marks an id as used. */
export const usedId = (id: string): string => `used ${id}`

const epochOf = (owner: string): string => `epoch ${owner}`
