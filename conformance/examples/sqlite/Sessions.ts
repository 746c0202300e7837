import { SettingsSessions } from "designwire/ports"
import type { Host } from "./Host.ts"

/** The id of the row that marks an id as used. */
export const usedId = (id: string): string => `used ${id}`

const epochOf = (owner: string): string => `epoch ${owner}`

/** Marks of sessions of the settings app. */
export const makeSessions = ({ database }: Host): SettingsSessions["Service"] =>
  SettingsSessions.of({
    standing: ({ owner, session, shop }) =>
      database.attempt("Reading a session", () => {
        const find = (id: string) =>
          database.first<{ epoch: number }>("SELECT epoch FROM marks WHERE shop = ? AND id = ?", shop, id)
        return { isEnded: find(usedId(session)) !== undefined, epoch: find(epochOf(owner))?.epoch ?? 0 }
      }),
    spend: ({ id, shop, until }) =>
      database.attempt("Using a link or a session", () => {
        const sql = "INSERT OR IGNORE INTO marks (shop, id, epoch, until) VALUES (?, ?, 0, ?)"
        return database.run(sql, shop, usedId(id), until) > 0
      }),
    endAll: ({ now, owner, shop, until }) =>
      database.attempt("Ending sessions", () => {
        database.run(
          `INSERT INTO marks (shop, id, epoch, until) VALUES (?, ?, ?, ?)
ON CONFLICT (shop, id) DO UPDATE SET epoch = max(excluded.epoch, epoch + 1), until = max(excluded.until, until)`,
          shop,
          epochOf(owner),
          now,
          until,
        )
      }),
  })
