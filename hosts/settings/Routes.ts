import type { Effect } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { HttpPlatform, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Failed } from "./Failure.tsx"
import type { Form } from "./Form.ts"
import type { CurrentShop, Visit } from "./Visit.ts"

/** The services that the app needs. */
export type Ports =
  | StoragePorts
  | HostLookup
  | KeyRing
  | HttpPlatform.HttpPlatform
  | Aead.Aead
  | Digest.Digest
  | Kdf.Kdf
  | Mac.Mac
  | SecureRandom.SecureRandom

type Handler<R> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Ports | Visit | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | R
>

/** A page (GET), or the action of a form (POST). */
export type Route = {
  /** The path below the store, e.g. `/tokens`; of a page of no store, in the app. */
  readonly path: `/${string}`
  /** Whether those who may change nothing may send the form. */
  readonly evenReadOnly?: true
  /** The size limit of its form in KiB, if it differs from the default. */
  readonly maximumForm?: number
} & (
  | { readonly method: "GET"; readonly for: "store"; readonly handler: Handler<CurrentShop> }
  | {
      readonly method: "POST"
      readonly for: "store"
      readonly handler: Handler<CurrentShop | Form>
      /** The page of the form with the content that was sent, for one whose session or key has ended. Changes nothing. */
      readonly again?: Handler<CurrentShop | Form>
    }
  | { readonly method: "GET"; readonly for: "everyone" | "signed-in"; readonly handler: Handler<never> }
  | { readonly method: "POST"; readonly for: "everyone" | "signed-in"; readonly handler: Handler<Form> }
)
