import { createHmac } from "node:crypto"
import { Result } from "effect"
import { describe, it } from "vitest"
import { compile } from "../../../core/rules/catalog/Compile.ts"
import { evaluate } from "../../../core/rules/catalog/Evaluation.ts"
import { publishCheck } from "../../../core/rules/catalog/PublishCheck.ts"
import { isPublicAddress } from "../../../core/rules/webhooks/PublicHost.ts"
import * as Signature from "../../../core/rules/webhooks/Signature.ts"
import { verifyWebhook } from "../../../hosts/receiver/index.ts"
import { register, type SignVector, type StandardSignVector, vectors } from "../../index.ts"

const mac = ({ body, secret, timestamp }: SignVector): Uint8Array =>
  createHmac("sha256", Signature.keyBytes(secret)).update(Signature.signedText(timestamp, body), "utf8").digest()

const standardMac = ({ body, id, secret, timestamp }: StandardSignVector): Uint8Array =>
  createHmac("sha256", Signature.standardKeyBytes(secret))
    .update(Signature.standardSignedText(id, timestamp, body), "utf8")
    .digest()

register(
  vectors({
    evaluate: ({ definition, ...input }) =>
      Result.match(evaluate(compile(Result.getOrThrow(publishCheck(definition))), input), {
        onSuccess: (evaluated) => evaluated,
        onFailure: ({ listed }) => ({ problems: listed.map(({ path }) => path) }),
      }),
    sign: (vector) => Signature.signatureOf(mac(vector)),
    verify: (vector) => Signature.accepts(vector, mac(vector), vector.now * 1_000),
    signStandard: (vector) => Signature.standardSignatureOf(standardMac(vector)),
    verifyStandard: async ({ body, id, now, secret, signature, timestamp }) => {
      const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }
      const answer = await verifyWebhook({ body, headers, now: now * 1_000, secret })
      return answer.ok
    },
    isPublicAddress: (address) => isPublicAddress(address),
  }),
  { describe, it },
)
