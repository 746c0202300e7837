import { hkdfSync } from "node:crypto"

/**
 * The secret that forwarded deliveries are signed with: always the same for a token, on every machine. It is derived
 * from the token, so that its holders can't read the store.
 */
export const secretOf = (token: string): string =>
  `whsec_${Buffer.from(hkdfSync("sha256", token, "", "designwire listen", 32)).toString("base64")}`
