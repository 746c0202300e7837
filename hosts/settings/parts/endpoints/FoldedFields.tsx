import type { ComponentChildren } from "preact"
import type { Problems } from "../../Problems.ts"

/** Fields that few endpoints need, behind a title. They are open if one `isInUse` or has a problem. */
export const FoldedFields = ({
  children,
  fields,
  isInUse,
  problems,
  title,
}: {
  readonly title: string
  /** The names of the fields, or what their names begin with. */
  readonly fields: ReadonlyArray<string>
  readonly isInUse: boolean
  readonly problems: Problems
  readonly children: ComponentChildren
}) => (
  <details class="card" open={isInUse || problems.some(({ path }) => fields.some((field) => path.startsWith(field)))}>
    <summary>{title}</summary>
    <div class="pad stack">{children}</div>
  </details>
)
