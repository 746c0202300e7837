/** The buttons under a form: one that sends it, and a link for whoever decides otherwise. */
export const FormActions = ({
  back,
  submit,
}: {
  /** What the sending button says. */
  readonly submit: string
  /** The page that the cancelling link leads to. */
  readonly back: string
}) => (
  <div class="actions">
    <button class="button main" type="submit">
      {submit}
    </button>
    <a class="button" href={back}>
      Cancel
    </a>
  </div>
)
