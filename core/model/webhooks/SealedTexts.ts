/**
 * The sealed texts of an endpoint (D20): its signing secrets, two during a rotation (D40), its headers, the secret of
 * its OAuth client, and its client certificate (D55).
 */
import type { EndpointRecord } from "./Endpoint.ts"
import { sealedOptionNames } from "./EndpointOptions.ts"

/** A sealed text and its endpoint. */
export interface SealedSecret {
  readonly shop: string
  readonly endpointId: string
  readonly sealed: string
}

/** All of them. */
export const sealedOf = ({ options, rotation, secret }: EndpointRecord): ReadonlyArray<string> =>
  [secret, rotation?.secret, ...sealedOptionNames.map((name) => options[name]?.sealed)].filter(
    (sealed) => sealed !== undefined,
  )

/** The endpoint with another text in the place of one of them; `undefined` if it does not have that one. */
export const resealed = (endpoint: EndpointRecord, sealed: string, anew: string): EndpointRecord | undefined => {
  const { options, rotation, secret } = endpoint
  if (secret === sealed) return { ...endpoint, secret: anew }
  if (rotation?.secret === sealed) return { ...endpoint, rotation: { ...rotation, secret: anew } }
  const name = sealedOptionNames.find((option) => options[option]?.sealed === sealed)
  return name && { ...endpoint, options: { ...options, [name]: { ...options[name], sealed: anew } } }
}

/** All of an endpoint, each with its endpoint. */
export const secretsOf = (endpoint: EndpointRecord): ReadonlyArray<SealedSecret> =>
  sealedOf(endpoint).map((sealed) => ({ shop: endpoint.shop, endpointId: endpoint.id, sealed }))
