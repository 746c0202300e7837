/** Digests and signatures of reports, with the crypto of Node. Keys are PEM, as OpenSSL reads and writes them. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto"
import { readFileSync } from "node:fs"
import { Console, Effect } from "effect"
import { CouldNotRun, sentence } from "../ServiceProbe.ts"

/** SHA-256 of a text. */
export const digest = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

/** base64 of the 32 bytes of a key's public half. */
const publicPart = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url").toString("base64")

/** `designwire key --signing`: prints a new private key, and the public key next to it, on standard error. */
export const signingKey = Effect.fn("signingKey")(function* () {
  const { privateKey } = generateKeyPairSync("ed25519")
  yield* Console.log(privateKey.export({ format: "pem", type: "pkcs8" }).toString().trim())
  yield* Console.error(`The public key, for those who verify your reports: ${publicPart(privateKey)}`)
})

const keyIn = (path: string, flag: string) =>
  Effect.try({
    try: () => {
      const key = createPrivateKey(readFileSync(path))
      if (key.asymmetricKeyType !== "ed25519") throw new Error(`it has a key of ${key.asymmetricKeyType}`)
      return key
    },
    catch: (error) =>
      new CouldNotRun({
        message: `${flag} ${path} has no usable key: ${sentence(error)}; make one with: designwire key --signing`,
      }),
  })

/** A function that signs with the key in a file. */
export const signer = (path: string) =>
  Effect.map(keyIn(path, "--signing-key"), (key) => {
    const publicKey = publicPart(key)
    return (bytes: Uint8Array) => ({ publicKey, value: sign(null, bytes, key).toString("base64") })
  })

/** `designwire key --public FILE`: prints the public key of the private one in the file. */
export const publicKeyOf = Effect.fn("publicKeyOf")(function* (path: string) {
  yield* Console.log(publicPart(yield* keyIn(path, "--public")))
})

/** Whether a signature by this public key is over these bytes. */
export const isSigned = (
  bytes: Uint8Array,
  { publicKey, value }: { readonly publicKey: string; readonly value: string },
): boolean => {
  try {
    const x = Buffer.from(publicKey, "base64").toString("base64url")
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
    return verify(null, bytes, key, Buffer.from(value, "base64"))
  } catch {
    // It is no key at all.
    return false
  }
}
