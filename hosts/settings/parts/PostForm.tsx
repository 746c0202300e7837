import type { ComponentChildren } from "preact"
import type { Visit } from "../Visit.ts"

/** A form that changes something: it brings back the key of the session's forms. */
export const PostForm = ({
  action,
  children,
  kind,
  visit,
}: {
  readonly visit: Pick<Visit["Service"], "formKey">
  /** The page's own address where it is left out. */
  readonly action?: string
  readonly kind?: string
  readonly children: ComponentChildren
}) => (
  <form method="post" {...(action === undefined ? {} : { action })} {...(kind === undefined ? {} : { class: kind })}>
    <input type="hidden" name="form" value={visit.formKey} />
    {children}
  </form>
)
