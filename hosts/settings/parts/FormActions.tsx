import { useTexts } from "./CurrentLanguage.ts"

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
      <button class="button main" type="submit">
        {submit}
      </button>
      <a class="button" href={cancelHref}>
        {parts.cancel}
      </a>
    </div>
  )
}
