import { Context, type Redacted } from "effect"

/**
 * The installation's secret keys, 32 bytes each, newest first: the first one seals and signs, all of them open and
 * verify. Each purpose has its own keys derived from them. Equal on every host of an installation.
 */
export class KeyRing extends Context.Service<
  KeyRing,
  { readonly keys: readonly [Redacted.Redacted<Uint8Array>, ...ReadonlyArray<Redacted.Redacted<Uint8Array>>] }
>()("designwire/KeyRing") {}
