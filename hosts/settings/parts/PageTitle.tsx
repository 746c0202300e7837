import type { ComponentChildren } from "preact"

/** The title of a page, which may begin with crumbs and end with a lead, and the page's main actions beside it. */
export const PageTitle = ({
  actions,
  children,
}: {
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <div class="title">
    <div>{children}</div>
    {actions}
  </div>
)
