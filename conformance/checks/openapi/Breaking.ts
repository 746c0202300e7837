/** Finds changes of an OpenAPI document that break programs written against the previous one. */
import type { Json } from "../../../core/model/json/Json.ts"
import {
  type Document,
  jsonOf,
  type Operation,
  operationsOf,
  parametersOf,
  resolve,
  responsesOf,
} from "./Operations.ts"
import { makeSchemaBreaks } from "./SchemaBreaks.ts"

type Named = Readonly<Record<string, Json>>

const byName = (parameters: ReadonlyArray<Json>): ReadonlyMap<string, Json> =>
  new Map(parameters.map((parameter) => [`${parameter["in"]} ${parameter["name"]}`, parameter]))

/** Every breaking change as a sentence. */
export const breaks = (before: Document, after: Document): ReadonlyArray<string> => {
  const schemaBreaks = makeSchemaBreaks(before, after)

  const json = (direction: "input" | "output", was: Json, is: Json, path: string): ReadonlyArray<string> => {
    const [old, now] = [jsonOf(was), jsonOf(is)]
    if (old === undefined)
      return direction === "input" && now !== undefined ? [`${path}: there must be a body now`] : []
    if (now === undefined) return [`${path}: there is no longer any JSON`]
    return schemaBreaks(direction, old["schema"] as Json, now["schema"] as Json, path)
  }

  const parameters = (was: Operation, is: Operation, path: string): ReadonlyArray<string> => {
    const [old, now] = [byName(parametersOf(was)), byName(parametersOf(is))]
    return [
      ...[...old].flatMap(([name, parameter]) => {
        const there = now.get(name)
        if (there === undefined) return [`${path}: the parameter ${name} is gone`]
        const stricter = there["required"] === true && parameter["required"] !== true
        return [
          ...(stricter ? [`${path}: the parameter ${name} is required now`] : []),
          ...schemaBreaks("input", parameter["schema"] as Json, there["schema"] as Json, `${path}: ${name}`),
        ]
      }),
      ...[...now].flatMap(([name, { required }]) =>
        required === true && !old.has(name) ? [`${path}: the parameter ${name} is new and required`] : [],
      ),
    ]
  }

  const headers = (was: Json, is: Json, path: string): ReadonlyArray<string> => {
    const now = (is["headers"] ?? {}) as Named
    return Object.entries((was["headers"] ?? {}) as Named).flatMap(([name, header]) => {
      const there = now[name]
      if (there === undefined) return [`${path}: the header ${name} is gone`]
      const lost = resolve(before, header)["required"] === true && resolve(after, there)["required"] !== true
      return lost ? [`${path}: the header ${name} may be left out now`] : []
    })
  }

  const responses = (was: Operation, is: Operation, path: string): ReadonlyArray<string> => {
    const now = responsesOf(after, is)
    return Object.entries(responsesOf(before, was)).flatMap(([status, response]) => {
      const there = now[status]
      if (there === undefined) return [`${path}: the answer ${status} is gone`]
      const place = `${path} ${status}`
      return [...headers(response, there, place), ...json("output", response, there, place)]
    })
  }

  const operation = (was: Operation): ReadonlyArray<string> => {
    const path = `${was.method} ${was.path}`
    const is = operationsOf(after).find((one) => one.method === was.method && one.path === was.path)
    if (is === undefined) return [`${path} is gone`]
    const [bodyBefore, bodyAfter] = [
      was.spec["requestBody"] as Json | undefined,
      is.spec["requestBody"] as Json | undefined,
    ]
    const optionalBefore = bodyBefore !== undefined && bodyBefore["required"] !== true
    return [
      ...(was.id === is.id ? [] : [`${path} is called ${is.id}, and was ${was.id}`]),
      ...(JSON.stringify(was.spec["security"]) === JSON.stringify(is.spec["security"])
        ? []
        : [`${path}: other keys are needed`]),
      ...parameters(was, is, path),
      ...(optionalBefore && bodyAfter?.["required"] === true ? [`${path}: there must be a body now`] : []),
      ...(bodyAfter === undefined || (bodyBefore === undefined && bodyAfter["required"] !== true)
        ? []
        : json("input", bodyBefore ?? {}, bodyAfter, `${path} body`)),
      ...responses(was, is, path),
    ]
  }

  const webhooks = Object.entries(before.webhooks ?? {}).flatMap(([name, { post: was }]) => {
    const is = after.webhooks?.[name]?.post
    if (is === undefined) return [`the webhook ${name} is gone`]
    const now = byName((is["parameters"] ?? []) as ReadonlyArray<Json>)
    const lost = [...byName((was["parameters"] ?? []) as ReadonlyArray<Json>).keys()].filter((key) => !now.has(key))
    return [
      ...lost.map((key) => `the webhook ${name}: the ${key} is gone`),
      ...json("output", was["requestBody"] as Json, is["requestBody"] as Json, `the webhook ${name}`),
    ]
  })

  return [...operationsOf(before).flatMap(operation), ...webhooks]
}

/** Whether a release may break programs: a new major version, or before 1.0.0 a new minor version. */
export const mayBreak = (released: string, next: string): boolean => {
  const [[major = 0, minor = 0] = [], [nextMajor = 0, nextMinor = 0] = []] = [released, next].map((version) =>
    version.split(".").map(Number),
  )
  return nextMajor > major || (major === 0 && nextMajor === 0 && nextMinor > minor)
}
