import { Context, Data, type Effect } from "effect"

/** The name has no address, or no server could be asked in time. */
export class LookupFailed extends Data.TaggedError("LookupFailed")<{ readonly message: string }> {}

/**
 * Finds all addresses of a host name (D35, D36), IPv4 and IPv6, as text. Results may be cached for at most 5 seconds:
 * returning the same array means that the addresses are the same.
 *
 * Adapters must not make other lookups wait for slow names, including the embedder's own. Callers pass only names,
 * never IP literals, and bound the time; interruption ends the lookup.
 */
export class HostLookup extends Context.Service<
  HostLookup,
  { readonly lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed> }
>()("designwire/HostLookup") {}
