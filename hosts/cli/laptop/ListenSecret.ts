import { hkdfSync } from "node:crypto"

/**
 * The secret that forwarded deliveries are signed with: always the same for a token, on every machine. It is derived,
 * so that it does not let its holders read the store.
 */
export const secretOf = (token: string): string =>
  `whsec_${Buffer.from(hkdfSync("sha256", token, "", "designwire listen", 32)).toString("base64")}`
