import type { ComponentChildren } from "preact"
import type { Visit } from "../Visit.ts"

/** A form that changes something. It sends the form key of the session. */
export const PostForm = ({
  action,
  children,
  class: className,
  visit,
}: {
  readonly visit: Pick<Visit["Service"], "formKey">
  /** The page's own address by default. */
  readonly action?: string
  readonly class?: string
  readonly children: ComponentChildren
}) => (
  <form
    method="post"
    {...(action === undefined ? {} : { action })}
    {...(className === undefined ? {} : { class: className })}
  >
    <input type="hidden" name="form" value={visit.formKey} />
    {children}
  </form>
)
