/** What the processes of the benchmark share: the configuration of a host, as its command reads it. */
import process from "node:process"
import { Effect } from "effect"
import { readConfig } from "../../../hosts/cli/ReadConfig.ts"

/** The variables of a host. */
export type Environment = Readonly<Record<string, string>>

const keys = {
  DESIGNWIRE_MANAGE_KEY: "not-used-but-long-enough",
  DESIGNWIRE_ENCRYPTION_KEYS: Buffer.alloc(32).toString("base64"),
}

/** A deployment with buckets in these databases, the first one first. */
export const bucketEnvironment = (databases: Readonly<Record<string, string>>, buckets: number): Environment => ({
  ...keys,
  DESIGNWIRE_BUCKETS: String(buckets),
  DESIGNWIRE_DATABASES: Object.entries(databases)
    .map(([name, url]) => `${name}=${url}`)
    .join(","),
})

/** A deployment with one schema. */
export const plainEnvironment = (url: string): Environment => ({ ...keys, DATABASE_URL: url })

/** The configuration of this process. */
export const config = Effect.suspend(() =>
  readConfig(
    Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(DESIGNWIRE_|DATABASE_URL$)/.test(name))),
  ),
)
