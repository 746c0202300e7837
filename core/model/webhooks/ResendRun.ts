/**
 * A run that sends deliveries of a log again, in steps. Its text form, `next` of an answer or a field of a form, is all
 * that is needed to continue with it, on any host: a step that is repeated adds nothing twice.
 */
import { Result } from "effect"
import { Base64Url } from "effect/encoding"
import { type Instant, isInstant } from "../Instant.ts"
import type { LogPosition } from "./Resend.ts"

export interface ResendRun {
  /** Part of the ids of its deliveries (`DeliveryState.recoveredId`). */
  readonly run: string
  /** When it began. It sends only what was created before. */
  readonly began: Instant
  /** The last delivery that it has gone past; `null` at the beginning. */
  readonly after: LogPosition | null
}

const version = "r1."

const runForm = /^[0-9A-Za-z]{22}$/

const idForm = /^dlv_[0-9A-Za-z]{1,200}$/

/** Writes a run as a text. */
export const encode = ({ after, began, run }: ResendRun): string =>
  version + Base64Url.encode(JSON.stringify([run, began, ...(after === null ? [] : [after.createdAt, after.id])]))

/** Reads a run; `undefined` if the text is not one that {@link encode} has written. */
export const decode = (text: string): ResendRun | undefined => {
  if (!text.startsWith(version) || text.length > 1000) return undefined
  const json = Result.getOrUndefined(Base64Url.decodeString(text.slice(version.length)))
  const found = json === undefined ? undefined : runOf(parsed(json))
  return found !== undefined && encode(found) === text ? found : undefined
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isTime = (value: unknown): value is Instant => typeof value === "number" && isInstant(value)

const runOf = (value: unknown): ResendRun | undefined => {
  if (!Array.isArray(value)) return undefined
  const [run, began, createdAt, id] = value
  if (typeof run !== "string" || !runForm.test(run) || !isTime(began)) return undefined
  if (value.length === 2) return { run, began, after: null }
  if (!isTime(createdAt) || typeof id !== "string" || !idForm.test(id)) return undefined
  return { run, began, after: { createdAt, id } }
}
