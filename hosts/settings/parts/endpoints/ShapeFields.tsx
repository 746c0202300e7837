import type { Ordering, Payload } from "../../../../core/model/deliveries/EndpointOptions.ts"
import type { Problems } from "../../Problems.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Field } from "../Field.tsx"
import { Choice } from "./Choice.tsx"
import { FoldedFields } from "./FoldedFields.tsx"
import { PaceFields, type PaceInput, readPace } from "./PaceFields.tsx"

/** The content of these fields. */
export interface ShapeInput extends PaceInput {
  readonly customizers: ReadonlyArray<number> | null
  readonly standardWebhooks: boolean
  readonly payload: Payload
  readonly ordering: Ordering
  readonly heedRetryAfter: boolean
}

/** The fields that may have a problem. */
export const shapeFields = ["customizers", "maxPerSecond", "maxConcurrent"]

/** The ids of customizers in a text. Other words stay as they are, and are refused. */
const readCustomizers = (text: string) => {
  const ids = text.split(/[\s,;]+/).filter((part) => part !== "")
  return ids.length === 0 ? null : (ids.map((id) => (/^\d+$/.test(id) ? Number(id) : id)) as ReadonlyArray<number>)
}

/** The content of these fields in a form that was sent. */
export const readShape = (text: (name: string) => string): ShapeInput => ({
  customizers: readCustomizers(text("customizers")),
  standardWebhooks: text("standardWebhooks") !== "",
  payload: text("payload") === "" ? "full" : "reference",
  ordering: text("ordering") === "" ? "none" : "object",
  heedRetryAfter: text("heedRetryAfter") !== "",
  ...readPace(text),
})

/** The fields of what an endpoint is sent, in which form and how fast. */
export const ShapeFields = ({
  input,
  isFirst,
  problems,
}: {
  readonly input: ShapeInput
  readonly problems: Problems
  /** Whether nothing above a field has a problem. */
  readonly isFirst: (...above: ReadonlyArray<string>) => boolean
}) => {
  const { endpointFields: texts } = useTexts()
  const { customizers, heedRetryAfter, maxConcurrent, maxPerSecond, ordering, payload, standardWebhooks } = input
  const isInUse =
    [customizers, maxPerSecond, maxConcurrent].some((value) => value !== null) ||
    payload !== "full" ||
    ordering !== "none" ||
    standardWebhooks ||
    heedRetryAfter
  return (
    <FoldedFields title={texts.shape} fields={shapeFields} isInUse={isInUse} problems={problems}>
      <Field
        name="customizers"
        label={texts.customizers}
        hint={texts.customizersHint}
        focuses={isFirst()}
        problems={problems}
        control={(attributes) => (
          <input
            type="text"
            inputMode="numeric"
            value={(input.customizers ?? []).join(", ")}
            autocomplete="off"
            {...attributes}
          />
        )}
      />
      <DeliveriesField input={input} />
      <PaceFields pace={input} isFirst={(...above) => isFirst("customizers", ...above)} problems={problems} />
    </FoldedFields>
  )
}

const DeliveriesField = ({ input }: { readonly input: ShapeInput }) => {
  const { endpointFields: texts } = useTexts()
  return (
    <fieldset>
      <legend>{texts.deliveries}</legend>
      <Choice name="standardWebhooks" label={texts.standard} checked={input.standardWebhooks}>
        <code>webhook-id</code>, <code>webhook-timestamp</code>
        {texts.and}
        <code>webhook-signature</code>
        {texts.standardHint}
      </Choice>
      <Choice name="payload" label={texts.reference} checked={input.payload === "reference"}>
        {texts.referenceHint}
      </Choice>
      <Choice name="ordering" label={texts.ordered} checked={input.ordering === "object"}>
        {texts.orderedHint}
      </Choice>
      <Choice name="heedRetryAfter" label={texts.retryAfter} checked={input.heedRetryAfter}>
        {texts.retryAfterBefore}
        <code>Retry-After</code>
        {texts.retryAfterHint}
      </Choice>
    </fieldset>
  )
}
