import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** A secret as it is kept, and the endpoint that it is of. While its secret is rotated, an endpoint has two (D40). */
export interface SealedSecret {
  readonly shop: string
  readonly endpointId: string
  readonly sealed: string
}

/**
 * The sealed secrets of all shops' endpoints, for whoever changes the encryption keys: while it works, endpoints and their secrets may come,
 * change and go.
 */
export class SealedSecrets extends Context.Service<
  SealedSecrets,
  {
    /**
     * All secrets of the next endpoints behind that of one, `limit` endpoints or fewer, in one order that adapters choose; `null`: from the beginning. None if there are
     * no more. Every secret that is there all the time comes up exactly once, also where it takes the place of another meanwhile.
     */
    readonly list: (
      after: SealedSecret | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<SealedSecret>, StorageError>

    /** Keeps `sealed` in place of a secret, whichever of its endpoint's it is by now; `false` where that is no longer kept, and then nothing is changed. */
    readonly replace: (secret: SealedSecret, sealed: string) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/SealedSecrets") {}
