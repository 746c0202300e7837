/** Answers compressed for those who accept it: the core decides on coding and tag, the host makes the bytes. */
import { Context, Effect } from "effect"
import type { Compressor } from "../model/ContentCoding.ts"
import { utf8Length } from "../model/Text.ts"
import type { Answer } from "./Answer.ts"
import { acceptedCodings } from "./ContentCoding.ts"

/**
 * What compresses the REST API's answers. Nothing does where none is provided: then they go out as plain text.
 *
 * Only what {@link isCompressible} allows is compressed. The management API and the settings app never are: their answers hold secrets and
 * form keys beside texts that others choose, and who can see the length of such an answer could guess at them (BREACH).
 */
export const Compression = Context.Reference<Compressor | undefined>("designwire/api/Compression", {
  defaultValue: () => undefined,
})

/** Answers of fewer bytes stay as they are: they fit into one packet anyway. */
const smallest = 1024

/** Whether a text is long enough to be compressed. Bytes are counted only where it may depend on them. */
export const isCompressible = (text: string): boolean =>
  text.length >= smallest || (text.length * 3 >= smallest && utf8Length(text) >= smallest)

/** Text alone. */
export const identityOnly = ["identity"] as const

/** The codings in which a client may get an answer, the best first. */
export const codingsFor = (acceptEncoding: string) =>
  Compression.useSync((compressor) =>
    compressor === undefined ? identityOnly : acceptedCodings(compressor.codings, acceptEncoding),
  )

/** The answer with its body in the coding that its headers name. */
export const compressed = (answer: Answer): Effect.Effect<Answer> => {
  const coding = answer.coding
  const { body } = answer
  if (coding === undefined || typeof body !== "string") return Effect.succeed(answer)
  return Compression.use((compressor) =>
    compressor === undefined
      ? Effect.die(new Error("No compressor is there any more"))
      : Effect.map(compressor.compress(coding, body), (bytes) => ({ ...answer, body: bytes })),
  )
}
