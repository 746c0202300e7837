import type { VisitProps } from "../../Visit.ts"
import { LinkButton } from "../Buttons.tsx"
import { pairsOf, type ResendChoice, resendPath } from "./ResendForm.ts"

/** The id of the form that the boxes of a table belong to. */
export const selectionForm = "selection"

/**
 * Sends the selected deliveries of a table again, or all that a filter finds. Both lead to a question first. Nothing is
 * found among pending deliveries, so that a filter of these offers nothing.
 */
export const ResendActions = ({
  choice,
  count,
  endpointId,
  visit: { root, texts },
}: VisitProps & {
  readonly endpointId: string
  /** The filter of the table. */
  readonly choice: ResendChoice
  /** The deliveries that the filter finds, if they were counted. */
  readonly count?: number
}) => (
  <div class="pad actions">
    <form method="get" action={`${root}webhooks/${endpointId}/resend`} id={selectionForm}>
      <HiddenFields pairs={pairsOf({ ...choice, only: "selected" })} />
      <button class="button small" type="submit" data-selection={texts.repair.sendCounted("#")}>
        {texts.repair.sendSelected}
      </button>
    </form>
    <LinkButton look="small" href={root + resendPath(endpointId, choice)} text={texts.repair.sendFound(count)} />
  </div>
)

/** The fields of a choice that a form passes on. */
export const HiddenFields = ({ pairs }: { readonly pairs: ReturnType<typeof pairsOf> }) =>
  pairs.map(([name, value]) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />)
