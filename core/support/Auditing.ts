/** Gives changes their entries (D59). */

import { Clock, Context, Effect } from "effect"
import { type Actor, application } from "../model/audit/Actor.ts"
import type { AuditEntry, Audited } from "../model/audit/AuditEntry.ts"
import { logged } from "../model/log/LogEvent.ts"
import type { Occasion } from "../rules/audit/AuditRules.ts"
import { newId } from "./NewId.ts"

/** The actor of the current call. Hosts provide it; by default the application around the library. */
export const CurrentActor = Context.Reference<Actor>("designwire/CurrentActor", { defaultValue: () => application })

/** The occasion of a change that is made now, by the current actor. */
export const newOccasion = Effect.gen(function* () {
  const occasion: Occasion = {
    id: yield* newId("aud_"),
    at: Math.trunc(yield* Clock.currentTimeMillis),
    actor: yield* CurrentActor,
  }
  return occasion
})

/**
 * Makes a change with the function that says what it was. Changes with the management key are logged in one line: the
 * settings app logs its own, and others know what they call.
 */
export const auditing = Effect.fnUntraced(function* <A, B, E, R>(
  audited: (occasion: Occasion) => Audited<A>,
  change: (audited: Audited<A>) => Effect.Effect<B, E, R>,
) {
  const entryOf = audited(yield* newOccasion)
  let made: AuditEntry | null = null
  const result = yield* change((before, after) => {
    made = entryOf(before, after)
    return made
  })
  if (made !== null) yield* logEntry(made)
  return result
})

/** Logs an entry of the management key. The line has no text from outside except ids. */
export const logEntry = ({ action, actor, shop, subject }: AuditEntry) =>
  actor.type === "key"
    ? Effect.log(`Change of the shop ${shop} with the ${actor.name}: ${action} ${JSON.stringify(subject.id)}`).pipe(
        logged("audit.changed", { shop, action }),
      )
    : Effect.void
