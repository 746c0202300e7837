/** The texts of the page to sign out. */
export const signOut = {
  title: "Your session",
  signedInAs: (actor: string) => `Signed in as ${actor}`,
  here: "Sign out here",
  hereHint: "Ends the session of this browser. A copy of its cookie is worthless from then on.",
  everywhere: "Sign out everywhere",
  everywhereHint:
    "Ends all sessions that began in the same way, in every browser. Links that nobody has used stay good.",
  done: "You are signed out",
  newLink: "To come back, ask for a new link where you got the last one. Every link opens these pages once.",
}
