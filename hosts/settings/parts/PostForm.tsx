import type { ComponentChildren } from "preact"
import type { Visit } from "../Visit.ts"
import { LinkButton, Submit } from "./Buttons.tsx"
import { useTexts } from "./CurrentLanguage.ts"

/**
 * A form that changes something. It sends the form key of the page, and the page's path for the way back (`backTo`).
 * Visitors who may change nothing see it, but can't send it, unless it is for them too (`evenReadOnly`).
 */
export const PostForm = ({
  action,
  children,
  class: className,
  evenReadOnly = false,
  goesOn = false,
  id,
  visit,
}: {
  readonly visit: Pick<Visit["Service"], "formKey" | "path" | "texts" | "visitor">
  /** The page's own address by default. */
  readonly action?: string
  readonly class?: string
  readonly evenReadOnly?: boolean
  /** For controls elsewhere on the page that belong to it. */
  readonly id?: string
  /** Whether it is sent automatically if scripts run. */
  readonly goesOn?: boolean
  readonly children: ComponentChildren
}) => (
  <form
    method="post"
    {...(action === undefined ? {} : { action })}
    {...(className === undefined ? {} : { class: className })}
    {...(id === undefined ? {} : { id })}
    {...(goesOn ? { "data-go-on": true } : {})}
  >
    <input type="hidden" name="form" value={visit.formKey} />
    {!evenReadOnly && <input type="hidden" name="page" value={visit.path} />}
    {visit.visitor.isReadOnly && !evenReadOnly ? (
      <fieldset class="read-only" disabled title={visit.texts.layout.readOnly}>
        {children}
      </fieldset>
    ) : (
      children
    )}
  </form>
)

/** The buttons of a form: one to send it, and a link to cancel. */
export const FormActions = ({
  cancelHref,
  submit,
}: {
  /** The text of the button that sends the form. */
  readonly submit: string
  /** The page that the link leads to. */
  readonly cancelHref: string
}) => {
  const { parts } = useTexts()
  return (
    <div class="actions">
      <Submit look="main" text={submit} />
      <LinkButton href={cancelHref} text={parts.cancel} />
    </div>
  )
}
