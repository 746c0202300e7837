import { Context, Data, type Effect } from "effect"

/** The name has no address, or nobody could be asked in time. */
export class LookupFailed extends Data.TaggedError("LookupFailed")<{ readonly message: string }> {}

/**
 * Finds the addresses of a host name (D35, D36): all of them, IPv4 and IPv6, as text. Answers may be remembered for at most 5 seconds:
 * the same array again says that they are the same.
 *
 * Adapters must not make others wait for slow names, the embedder's own look-ups included. Callers ask for names only, never for IP literals,
 * and bound the time; interruption ends the look-up.
 */
export class HostLookup extends Context.Service<
  HostLookup,
  { readonly lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed> }
>()("designwire/HostLookup") {}
