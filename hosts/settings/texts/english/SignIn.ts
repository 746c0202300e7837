import type { Inline } from "../Inline.ts"

/** The texts of the page to sign in. */
export const signIn = {
  title: "Sign in",
  lead: "Manage the API tokens and webhooks of your stores.",
  key: "Management key",
  keyHint: (variable: Inline, file: Inline): Inline => [
    "The value of ",
    variable,
    ", or the content of the file ",
    file,
    " in the data directory",
  ],
  usedLink: (minutes: number) =>
    `This link was used before or is older than ${minutes} minutes. Enter the key instead.`,
  kept: "Your session has ended. Nothing was changed, and your input is kept: sign in, and it is back in its form.",
  signedIn: "You are signed in",
  backLead: "Your input is kept, without secrets.",
  back: "Back to the form",
  wrongKey: "This is not the management key.",
  tooMany: "Too many wrong keys came from your address. Wait a minute, then try again.",
}
