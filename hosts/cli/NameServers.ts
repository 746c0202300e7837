/** The check of the name servers by `designwire doctor`. */
import { Resolver } from "node:dns/promises"
import { Data, Effect } from "effect"
import { type LookupOptions, layerHostLookup } from "../../adapters/node/HostLookup.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { HostLookup } from "../../core/ports/HostLookup.ts"

/** The name servers do not work as a worker needs. */
class NameServersUnfit extends Data.TaggedError("NameServersUnfit")<{ readonly message: string }> {}

/** The state of name servers that can be used. */
export interface NameServersFound {
  /** Whether they know public names. */
  readonly isPublic: boolean
  readonly sentence: string
}

/** A public name that is kept for such questions. */
export const publicName = "example.com"

/**
 * Asks the name servers for a name that nobody can have (RFC 6761), and for a public name, as a worker does. Fails if
 * they don't answer, or find the name that does not exist. They may know no public name on purpose, if webhooks only go
 * to a private network.
 */
export const examineNameServers = Effect.fnUntraced(function* (options: LookupOptions = {}) {
  const { answer, code } = yield* askForNobody(options)
  if (answer !== undefined) {
    const message = `answers ${answer} for a name that does not exist: endpoints may lead elsewhere`
    return yield* new NameServersUnfit({ message })
  }
  if (code !== "ENOTFOUND" && code !== "ENODATA") {
    return yield* new NameServersUnfit({ message: `does not answer (${code}): no endpoint's host will be found` })
  }
  return yield* HostLookup.use(({ lookup }) => lookup(publicName)).pipe(
    Effect.match({
      onSuccess: (): NameServersFound => ({ isPublic: true, sentence: "answers" }),
      onFailure: ({ message }): NameServersFound => ({
        isPublic: false,
        sentence: `answers, but ${message}. Webhooks reach only hosts whose names it knows`,
      }),
    }),
    Effect.provide(layerHostLookup(options)),
  )
})

const askForNobody = ({ servers }: LookupOptions) =>
  Effect.promise(async () => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      return { answer: (await resolver.resolve4("nobody.invalid")).join(", ") }
    } catch (error) {
      return { code: (error as NodeJS.ErrnoException).code ?? reasonOf(error) }
    }
  })
