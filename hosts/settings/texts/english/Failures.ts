/** The texts of pages for errors. */
export const failures = {
  titles: {
    invalid: "Invalid input",
    wrongForm: "This form is out of date",
    foreignForm: "This form was sent from another site",
    readOnly: "You may change nothing here",
    forbidden: "You can't see this page",
    notFound: "There is nothing here",
    conflict: "That can't be done now",
    refused: "That is not allowed",
    unavailable: "Not available at the moment",
  },
  /** What an error says. Its message is in English; another language may have one text for all errors of a kind. */
  own: ({ message }: { readonly _tag: string; readonly message: string }) => message,
  forms: {
    wrong: "Nothing was changed. The form was made for another person or another store. Open the page again.",
    old: "Nothing was changed. The page was opened more than twelve hours ago. Open it again, then repeat the change.",
  },
  /** Above a form that was not taken, with its content. */
  again: {
    wrong:
      "Nothing was changed. The form was made for another person or another store. Check your input, then send it.",
    old: "Nothing was changed. The page was opened more than twelve hours ago. Check your input, then send it again.",
    ended: "Nothing was changed yet: your session had ended. Your input is back. Check it, then send it.",
  },
  againSecrets: "Secrets were not kept: enter them again.",
  foreignFormText: (origin: string) => `Nothing was changed. The form was sent from another site: ${origin}`,
  noPage: "There is no page at this address.",
  wrongMethod: "That can't be done here",
  wrongMethodText: "This page can't be requested in this way.",
  tooLarge: "That is too large",
  tooLargeText: "This form has more than may be sent at once.",
  unreadable: "The form could not be read.",
  broken: "Something went wrong",
  brokenText: "Something went wrong on our side. Try again in a moment.",
  home: "Go to the first page",
}
