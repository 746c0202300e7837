import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** A sealed secret and its endpoint. During a rotation an endpoint has two (D40). */
export interface SealedSecret {
  readonly shop: string
  readonly endpointId: string
  readonly sealed: string
}

/**
 * The sealed secrets of all shops' endpoints, for changing the encryption keys. Meanwhile endpoints and their secrets
 * may be added, changed and removed.
 */
export class SealedSecrets extends Context.Service<
  SealedSecrets,
  {
    /**
     * All secrets of up to `limit` endpoints after the endpoint of `after`, in an order that adapters choose; `null`
     * starts from the beginning. Empty at the end. Every secret that exists all the time is listed exactly once, even
     * if it takes the place of another meanwhile.
     */
    readonly list: (
      after: SealedSecret | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<SealedSecret>, StorageError>

    /**
     * Stores `sealed` instead of a secret, whether that is now the old or the new secret of its endpoint; `false`
     * without any change if the secret no longer exists.
     */
    readonly replace: (secret: SealedSecret, sealed: string) => Effect.Effect<boolean, StorageError>
  }
>()("designwire/SealedSecrets") {}
