import { Schema } from "effect"

/** The kind of an actor. */
export const ActorType = Schema.Literals(["person", "key", "application", "command", "service"]).annotate({
  description: [
    "`person`: somebody in the settings app, or whom an application names. `key`: the management key.",
    "`application`: the application around the library. `command`: the command line. `service`: the service itself.",
  ].join(" "),
})
export type ActorType = typeof ActorType.Type

/** Who changes something (D59). */
export const Actor = Schema.Struct({
  type: ActorType,
  name: Schema.String.annotate({ description: "At most 255 characters, as the session or the application names it" }),
})
export type Actor = typeof Actor.Type

/** An actor has a name of at most this many characters. */
export const maximumActorName = 255

/** The actor of calls with the management key. */
export const managementKey: Actor = { type: "key", name: "management key" }

/** The actor of calls for which nobody is named. */
export const application: Actor = { type: "application", name: "application" }

/** The actor of changes that a command makes on its own, such as `designwire demo`. */
export const command = (name: string): Actor => ({ type: "command", name })

/** The actor of changes that the service makes on its own, such as switching off an endpoint. */
export const service: Actor = { type: "service", name: "designwire" }

/** A person with a name of any form: it is cut short, and characters that a store or a line of a log can't keep go. */
export const person = (name: string): Actor => ({
  type: "person",
  name: [...name.toWellFormed().replaceAll(/\p{Cc}/gu, " ")].slice(0, maximumActorName).join(""),
})
