import { Context } from "effect"
import { type Actor, application } from "../model/audit/Actor.ts"

/** The actor of the current call. Hosts provide it; by default the application around the library. */
export const CurrentActor = Context.Reference<Actor>("designwire/CurrentActor", { defaultValue: () => application })
