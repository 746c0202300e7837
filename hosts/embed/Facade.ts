import { Effect } from "effect"
import { isPlainObject } from "../../core/model/json/Json.ts"
import { unknownField } from "../../core/model/Nearest.ts"
import { WireForm } from "../../core/model/WireForm.ts"
import * as Operations from "../../core/operations/index.ts"
import { idsOf, type Operation } from "../../core/operations/Operation.ts"
import type { Designwire } from "./Designwire.ts"
import { type Failure, invalidArgument } from "./Failures.ts"
import type { InTransaction } from "./InTransaction.ts"
import { makeMethods } from "./Methods.ts"
import type { Runtime, Services } from "./Runtime.ts"

type Nouns = {
  readonly [Noun in (typeof Operations)[keyof typeof Operations] as Noun["id"]]: Noun["operations"]
}

/** A type whose optional keys may also be `undefined`. */
type OrUndefined<A> = A extends object
  ? { [K in keyof A]: Record<never, never> extends Pick<A, K> ? A[K] | undefined : A[K] }
  : A

type Given<Args extends ReadonlyArray<unknown>> = { [Index in keyof Args]: OrUndefined<Args[Index]> }

type ValueOf<A> = A extends WireForm<infer Value> ? Value : A

/** The function of an operation. */
type FunctionOf<One> = One extends {
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of any use case.
  readonly call: (...args: infer Args extends Array<any>) => Effect.Effect<infer A, Failure, Services>
}
  ? One extends { readonly method: "changes" }
    ? (...args: [...Given<Args>, options?: InTransaction]) => Promise<ValueOf<A>>
    : (...args: Given<Args>) => Promise<ValueOf<A>>
  : never

/** The operations that have a function. */
type FunctionsOf<All> = {
  readonly [Name in keyof All as All[Name] extends { readonly method: string } ? Name : never]: FunctionOf<All[Name]>
}

/** The functions of operations, as they follow from their use cases. */
type Derived = {
  readonly [Noun in keyof Nouns as keyof FunctionsOf<Nouns[Noun]> extends never ? never : Noun]: FunctionsOf<
    Nouns[Noun]
  >
}

/** Operations as functions that return promises. */
type Facade = Pick<Designwire, keyof Derived>

export const makeFacade = (runtime: Runtime): Facade => {
  const { changing, reading } = makeMethods(runtime)
  const functionOf = (operation: Operation) => {
    const { call, input, method, query = {} } = operation
    const ids = idsOf(operation).length
    const effect = (...args: ReadonlyArray<unknown>) => {
      const asked = input === undefined ? args.slice(0, ids) : [...args.slice(0, ids), inputOf(input, args[ids])]
      const checked = input === "query" ? onlyKnown(args[ids], Object.keys(query)) : Effect.void
      return Effect.map(
        Effect.andThen(checked, () => call(...asked)),
        (result) => (result instanceof WireForm ? result.value : result),
      ) as Effect.Effect<unknown, Failure, Services>
    }
    return method === "changes" ? changing(effect, input === undefined ? ids : ids + 1) : reading(effect)
  }
  const facade = Object.values(Operations).flatMap(({ id, operations }) => {
    const all = Object.entries<Operation>(operations as never).filter(([, { method }]) => method !== undefined)
    const functions = all.map(([name, operation]) => [name, functionOf(operation)])
    return functions.length === 0 ? [] : [[id, Object.fromEntries(functions)]]
  })
  return Object.fromEntries(facade) as Derived
}

/** Refuses a query with unknown fields. The REST API ignores unknown parameters (D12), and shares the reader. */
const onlyKnown = (query: unknown, names: ReadonlyArray<string>) => {
  const unknown = Object.keys(query ?? {}).find((name) => !names.includes(name))
  return unknown === undefined ? Effect.void : invalidArgument(unknown, unknownField(unknown, names))
}

/** An input without fields that are `undefined`, as JSON has none: the core would take `undefined` for a value. */
const inputOf = (input: Operation["input"], given: unknown): unknown => {
  if (given === undefined && (input === "query" || input === "fields")) return {}
  return isPlainObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    : given
}
