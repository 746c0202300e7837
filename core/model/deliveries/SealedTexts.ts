/**
 * The sealed texts of an endpoint (D20): its signing secrets, two during a rotation (D40), its headers, and the secret
 * of its OAuth client (D55).
 */
import type { EndpointRecord } from "../Endpoint.ts"

/** All of them. */
export const sealedOf = ({ options, rotation, secret }: EndpointRecord): ReadonlyArray<string> =>
  [secret, rotation?.secret, options.headers?.sealed, options.oauth?.sealed].filter((sealed) => sealed !== undefined)

/** The endpoint with another text in the place of one of them; `undefined` if it does not have that one. */
export const resealed = (endpoint: EndpointRecord, sealed: string, anew: string): EndpointRecord | undefined => {
  const { options, rotation, secret } = endpoint
  if (secret === sealed) return { ...endpoint, secret: anew }
  if (rotation?.secret === sealed) return { ...endpoint, rotation: { ...rotation, secret: anew } }
  const { headers, oauth } = options
  if (headers?.sealed === sealed) return { ...endpoint, options: { ...options, headers: { ...headers, sealed: anew } } }
  if (oauth?.sealed === sealed) return { ...endpoint, options: { ...options, oauth: { ...oauth, sealed: anew } } }
  return undefined
}
