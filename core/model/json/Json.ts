import { Predicate } from "effect"

/** A JSON object of whatever content. */
export type Json = { readonly [key: string]: unknown }

/** Own properties only: a key such as `constructor` is otherwise answered by the prototype. */
export const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

export const ownString = (object: Json, key: string): string | undefined => {
  const value = own(object, key)
  return typeof value === "string" ? value : undefined
}

export const ownList = (object: Json, key: string): ReadonlyArray<unknown> => {
  const value = own(object, key)
  return Array.isArray(value) ? value : []
}

/** A text from the input as part of a message: quoted, escaped and cut short. */
export const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** An id from the input as part of a message. It may be no text: not every caller has types. */
export const quoteId = (id: unknown): string =>
  typeof id === "string" ? JSON.stringify(id) : typeof id === "object" ? describe(id) : String(id)

/** Describes an input, for "must be …, not …". */
export const describe = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "string") return value === "" ? "an empty string" : quote(value)
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** True for what JSON calls an object. Prototypes are compared by depth, so that objects of another realm pass. */
export const isPlainObject = (value: unknown): value is { readonly [key: string]: unknown } => {
  if (!Predicate.isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
