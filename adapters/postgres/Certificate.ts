/** When the certificate of the server ends (hosts/cli/RUNBOOK.md). */
import { checkServerIdentity } from "node:tls"
import { Effect, Metric, Redacted, Schedule, type Scope } from "effect"
import { load, optionalPackages } from "../support/Packages.ts"

const expiry = Metric.gauge("designwire_database_certificate_expiry_seconds", {
  description: "End of the validity of the database's certificate, in seconds since 1970",
})

const verifying: ReadonlySet<string | null> = new Set(["require", "verify-ca", "verify-full"])

/**
 * Shows when the certificate ends if the URL requires TLS. A pool may keep its connections for weeks, so each look, one
 * an hour, is over a new connection: a renewed certificate is seen. If a look fails, the last value stays, and the pool
 * reports why.
 */
export const watchCertificate = (url: Redacted.Redacted<string>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (!verifying.has(URL.parse(Redacted.value(url))?.searchParams.get("sslmode") ?? null)) return
    const { PgConnection } = yield* Effect.promise(() =>
      load(() => import("@effect/sql-pg"), "designwire/postgres", optionalPackages.postgres),
    )
    const context = yield* Effect.context<never>()
    const look = PgConnection.make({
      url,
      ssl: {
        checkServerIdentity: (host, certificate) => {
          const refused = checkServerIdentity(host, certificate)
          if (refused === undefined) expiry.updateUnsafe(Date.parse(certificate.valid_to) / 1000, context)
          return refused
        },
      },
    }).pipe(Effect.scoped, Effect.ignore)
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("1 hour")))
  })
