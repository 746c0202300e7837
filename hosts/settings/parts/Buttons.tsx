import type { ComponentChildren } from "preact"

interface Button {
  readonly text: ComponentChildren
  /** Classes beside `button`. */
  readonly look?: string
}

const classOf = (look: string) => (look === "" ? "button" : `button ${look}`)

/** The button that sends a form. */
export const Submit = ({ look = "", text }: Button) => (
  <button class={classOf(look)} type="submit">
    {text}
  </button>
)

/** A link that is shown as a button. */
export const LinkButton = ({
  look = "",
  text,
  ...link
}: Button & { readonly href: string; readonly download?: string; readonly rel?: string }) => (
  <a class={classOf(look)} {...link}>
    {text}
  </a>
)
