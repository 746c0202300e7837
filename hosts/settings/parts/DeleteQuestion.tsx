import type { ComponentChildren } from "preact"
import type { VisitProps } from "../Visit.ts"
import { Submit } from "./Buttons.tsx"
import { PostForm } from "./PostForm.tsx"

/** The question before something is deleted. If scripts run, it opens in a dialog on the page that links to it. */
export const DeleteQuestion = ({
  cancelHref,
  children,
  query = "",
  submit,
  visit,
}: VisitProps & {
  /** The text of the button that deletes. */
  readonly submit: string
  readonly cancelHref: string
  /** The query that the form's address has too. */
  readonly query?: string
  readonly children: ComponentChildren
}) => (
  <section class="card pad stack" data-question>
    {children}
    <PostForm visit={visit} action={`delete${query}`} class="actions">
      <Submit look="danger main" text={submit} />
      <a class="button" href={cancelHref} data-cancel>
        {visit.texts.parts.keep}
      </a>
    </PostForm>
  </section>
)
