/** The REST API's reads without Effect's router and server, which cost more than the reads. */
import { type Context, Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { admit } from "./Admission.ts"
import { type Answer, versionHeaders } from "./Answer.ts"
import type { ContractAt } from "./Contract.ts"
import { unexpected } from "./Failures.ts"
import { type ReadName, type ReadRequest, read } from "./Reads.ts"

/** A request and its method. */
export interface DirectRequest extends ReadRequest {
  readonly method: string
}

/** What answering a read needs. */
export type DirectServices = Effect.Services<ReturnType<typeof admit> | ReturnType<typeof read>>

/** The answer to a request that needs no router; `undefined` for any other. */
export type DirectReads = (request: DirectRequest) => Effect.Effect<Answer> | undefined

/** Makes what answers a contract's reads at plain paths, in which nothing is encoded. */
export const makeDirectReads = (contract: ContractAt, services: Context.Context<DirectServices>): DirectReads => {
  const find = makeFind(contract)
  return (request) => {
    const found = request.method === "GET" || request.method === "HEAD" ? find(request.url) : undefined
    if (found === undefined) return undefined
    return admit(request.headers["authorization"]).pipe(
      Effect.flatMap(({ caller, headers }) =>
        read(found.name, caller, request, found.id).pipe(answered, Effect.map(withHeaders(headers))),
      ),
      answered,
      Effect.map(withHeaders(versionHeaders)),
      Effect.provideContext(services),
    )
  }
}

const answered = <R>(effect: Effect.Effect<Answer, Answer, R>): Effect.Effect<Answer, never, R> =>
  effect.pipe(Effect.catch(Effect.succeed), Effect.catchCause(unexpected))

const withHeaders =
  (headers: Answer["headers"]) =>
  (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, ...headers } })

interface Found {
  readonly name: ReadName
  readonly id?: string
}

/** An id that means the same to every router; longer and encoded ones are left to that of Effect. */
const plainId = /^[\w.~-]{1,255}$/

const makeFind = (contract: ContractAt) => {
  const fixed = new Map<string, Found>()
  const withId = new Map<string, ReadName>()
  HttpApi.reflect(contract, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { identifier, path } }) => {
      const parameter = path.indexOf(":")
      if (parameter === -1) fixed.set(path, { name: identifier as ReadName })
      else withId.set(path.slice(0, parameter), identifier as ReadName)
    },
  })
  return (url: string): Found | undefined => {
    const query = url.indexOf("?")
    const path = query === -1 ? url : url.slice(0, query)
    const start = path.lastIndexOf("/") + 1
    const name = withId.get(path.slice(0, start))
    if (name === undefined) return fixed.get(path)
    const id = path.slice(start)
    return plainId.test(id) ? { name, id } : undefined
  }
}
