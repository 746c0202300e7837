import { createHmac } from "node:crypto"
import { Result } from "effect"
import { describe, it } from "vitest"
import { compile } from "../../core/rules/Compile.ts"
import { evaluate } from "../../core/rules/Evaluation.ts"
import { isPublicAddress } from "../../core/rules/PublicHost.ts"
import { publishCheck } from "../../core/rules/PublishCheck.ts"
import * as Signature from "../../core/rules/Signature.ts"
import { register, type SignVector, vectors } from "../index.ts"

const mac = ({ body, secret, timestamp }: SignVector): Uint8Array =>
  createHmac("sha256", Signature.keyBytes(secret)).update(Signature.signedText(timestamp, body), "utf8").digest()

register(
  vectors({
    evaluate: ({ definition, ...input }) =>
      Result.match(evaluate(compile(Result.getOrThrow(publishCheck(definition))), input), {
        onSuccess: (evaluated) => evaluated,
        onFailure: ({ listed }) => ({ problems: listed.map(({ path }) => path) }),
      }),
    sign: (vector) => Signature.signatureOf(mac(vector)),
    verify: (vector) => Signature.accepts(vector, mac(vector), vector.now * 1_000),
    isPublicAddress: (address) => isPublicAddress(address),
  }),
  { describe, it },
)
