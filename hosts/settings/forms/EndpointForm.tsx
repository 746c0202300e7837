import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import { currentRequest } from "../CurrentRecord.ts"
import { customizerChoices } from "../parts/catalog/CustomizerField.tsx"
import { EndpointFields, userSent } from "../parts/endpoints/EndpointFields.tsx"
import { FormActions, PostForm } from "../parts/PostForm.tsx"

/** The form of a new endpoint or of one that is changed, in a card. `above`: what is above its fields. */
export const endpointForm = Effect.fnUntraced(function* ({
  above,
  cancelHref,
  submit,
  ...fields
}: Pick<Parameters<typeof EndpointFields>[0], "input" | "isNew" | "problems"> & {
  readonly submit: string
  readonly cancelHref: string
  readonly above?: ComponentChildren
}) {
  const { shop, visit } = yield* currentRequest
  const customizers = yield* customizerChoices(shop.id)
  const user = yield* userSent
  return (
    <section class="card pad">
      <PostForm visit={visit} class="stack">
        {above}
        <EndpointFields {...fields} customizers={customizers} user={user} />
        <FormActions submit={submit} cancelHref={cancelHref} />
      </PostForm>
    </section>
  )
})
