import type { Effect } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { HttpPlatform, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Failed } from "./Failure.tsx"
import type { CurrentShop, Form, Visit } from "./Visit.ts"

/** What the app is built over. */
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

type Answer<R> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failed,
  Ports | Visit | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | R
>

/** A page, or what a form of one does. */
export type Route = {
  /** From the app's own beginning: `/tokens`. */
  readonly path: `/${string}`
} & (
  | { readonly method: "GET"; readonly for: "store"; readonly answer: Answer<CurrentShop> }
  | { readonly method: "POST"; readonly for: "store"; readonly answer: Answer<CurrentShop | Form> }
  | { readonly method: "GET"; readonly for: "everyone" | "key"; readonly answer: Answer<never> }
  | { readonly method: "POST"; readonly for: "everyone" | "key"; readonly answer: Answer<Form> }
)
