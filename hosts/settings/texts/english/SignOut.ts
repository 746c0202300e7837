/** The texts of the page to sign out. */
export const signOut = {
  title: "Your session",
  signedInAs: (actor: string) => `Signed in as ${actor}`,
  here: "Sign out here",
  hereHint: "Ends the session of this browser. A copy of its cookie is worthless from then on.",
  everywhere: "Sign out everywhere",
  everywhereHint: {
    byKey:
      "Ends all sessions that the management key has begun, in every browser. Sessions that links have begun stay.",
    byLink: (actor: string) =>
      `Ends all sessions of ${actor} in this store, in every browser. Links that nobody has used stay good.`,
  },
  /** The sessions that have ended. */
  ended: {
    byKey: {
      here: "You are signed out in this browser. Others who signed in with the management key stay signed in.",
      everywhere: "Everybody who had signed in with the management key is signed out, in every browser.",
    },
    byLink: {
      here: (actor: string) => `The session of ${actor} in this store has ended in this browser, and nowhere else.`,
      everywhere: (actor: string) => `All sessions of ${actor} in this store have ended, in every browser.`,
    },
    stillByLink: "Sessions of single stores that links have begun in this browser stay.",
    stillByKey: "In this browser you are still signed in otherwise, e.g. with the management key.",
  },
  done: "You are signed out",
  newLink: "To come back, ask for a new link where you got the last one. Every link opens these pages once.",
}
