/** The text that every form must send: it shows that one of our pages made the form, for whom, and when. */
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { derivedKeys } from "../../core/support/DerivedKeys.ts"

/** Whom a form is for. */
export interface FormOwner {
  /** The person; `null` before they have signed in. */
  readonly actor: string | null
  /** The id of the page's store; `null` on pages of no store. */
  readonly shop: string | null
}

/** How long a page's forms can be sent, in milliseconds. */
const lifetime = 12 * 60 * 60 * 1000

const utf8 = new TextEncoder()

const sign = Effect.fnUntraced(function* (bytes: Uint8Array, { actor, shop }: FormOwner, time: string) {
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, bytes)
  return Base64Url.encode(yield* mac.sign(key, utf8.encode(JSON.stringify([actor, shop, time]))))
}, Effect.orDie)

/** The key of the forms of a page that is made now. */
export const formKeyOf = Effect.fnUntraced(function* (owner: FormOwner, now: number) {
  const [newest] = yield* derivedKeys("settings forms")
  const time = now.toString(36)
  return `${time}.${yield* sign(newest as Uint8Array, owner, time)}`
})

/** Whether a form's key was made for this owner, at most twelve hours ago. */
export const checkFormKey = Effect.fnUntraced(function* (text: string, owner: FormOwner, now: number) {
  const [time = "", signature = ""] = text.split(".")
  for (const key of yield* derivedKeys("settings forms")) {
    const expected = yield* sign(key, owner, time)
    if (!Mac.timingSafeEqual(utf8.encode(signature), utf8.encode(expected))) continue
    return now - Number.parseInt(time, 36) < lifetime ? ("right" as const) : ("old" as const)
  }
  return "wrong" as const
})
