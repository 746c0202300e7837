/**
 * `designwire key` for an installation without the packages of the other commands: embedders need a key too.
 */
import { Effect } from "effect"
import { key } from "./NewKey.ts"

await Effect.runPromise(key())
