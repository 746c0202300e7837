import type { ComponentChildren } from "preact"
import type { Visit } from "../Visit.ts"

/** A link, shown as a button, to a page that changes something. Visitors who may change nothing don't get it. */
export const ChangeLink = ({
  asks = false,
  children,
  class: className = "button",
  href,
  label,
  visit,
}: {
  readonly visit: Pick<Visit["Service"], "visitor">
  readonly href: string
  readonly class?: string
  /** The name of the button, if its text is not enough. */
  readonly label?: string
  /** Whether the page is a question, which opens in place if scripts run. */
  readonly asks?: boolean
  readonly children: ComponentChildren
}) =>
  visit.visitor.isReadOnly ? null : (
    <a class={className} href={href} {...(asks ? { "data-ask": true } : {})} aria-label={label}>
      {children}
    </a>
  )
