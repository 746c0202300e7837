import { Icon } from "./Icon.tsx"

/** Says why nothing can be added: there are as many as there may be. */
export const FullNotice = ({ text }: { readonly text: string }) => (
  <p class="notice">
    <Icon name="warning" />
    <span>{text}</span>
  </p>
)
