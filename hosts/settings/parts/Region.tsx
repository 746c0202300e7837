import type { ComponentChildren } from "preact"

/** A part of a page that stays up to date if scripts run. Its name is unique on its page. */
export const Region = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="region" data-live={name}>
    {children}
  </div>
)
