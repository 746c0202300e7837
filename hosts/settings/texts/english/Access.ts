import type { Inline } from "../Inline.ts"

/** The texts of the checklist for a shop that is new to the app. */
export const firstRun = {
  title: "Set up this shop",
  progress: (done: number, steps: number) => `${done} of ${steps} done`,
  isDone: "Done",
  isOpen: "To do",
  token: "Create an API token",
  tokenText: "Your systems read orders and designs with it.",
  tokenLink: "Go to the API tokens",
  curl: "Read the orders with it",
  curlText: "Put in the whole token, which is shown only when it is created:",
  endpoint: "Create a webhook endpoint",
  endpointText: "One of your systems learns of each order at once.",
  endpointLink: "Create an endpoint",
  verify: "Verify its deliveries",
  verifyText: "Check the signature before you trust a delivery. An example in the language of your choice:",
  languages: "Language",
  test: "Send a test event",
  testText: "See how your system responds. This list goes once all is done, or with your first real delivery.",
  hide: "Hide this list",
  hidden: "The list is hidden.",
}

/** The texts of the page that a link for one shop opens. */
export const link = {
  title: "Open the settings",
  lead: (shop: string) => `This link opens the settings of ${shop}, once.`,
  as: (actor: string) => `It was made for ${actor}.`,
  readOnly: "You can look at everything, and change nothing.",
  open: "Open the settings",
  toSettings: "Go to the settings",
  problem: "This link can't be used",
  invalid: "It is not complete, or not for this shop.",
  expired: "Its time has ended.",
  used: "It was used before, and every link opens the settings once.",
  newLink: "Ask for a new link where you got this one.",
}

/** The texts of the page to sign in. */
export const signIn = {
  title: "Sign in",
  lead: "Manage the API tokens and webhooks of your shops.",
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
      `Ends all sessions of ${actor} in this shop, in every browser. Links that nobody has used stay good.`,
  },
  /** The sessions that have ended. */
  ended: {
    byKey: {
      here: "You are signed out in this browser. Others who signed in with the management key stay signed in.",
      everywhere: "Everybody who had signed in with the management key is signed out, in every browser.",
    },
    byLink: {
      here: (actor: string) => `The session of ${actor} in this shop has ended in this browser, and nowhere else.`,
      everywhere: (actor: string) => `All sessions of ${actor} in this shop have ended, in every browser.`,
    },
    stillByLink: "Sessions of single shops that links have begun in this browser stay.",
    stillByKey: "In this browser you are still signed in otherwise, e.g. with the management key.",
  },
  done: "You are signed out",
  newLink: "To come back, ask for a new link where you got the last one. Every link opens these pages once.",
}

/** The texts of the page to choose a shop. */
export const stores = {
  title: "Choose a shop",
  lead: "Every shop has its own tokens and webhooks.",
  none: "No shops yet",
  noneLead: (request: Inline): Inline => ["Create shops with the management API: ", request, "."],
  facts: (id: string, plan: string, currency: string) => `${id} · ${plan} plan · ${currency}`,
}

/** The texts of the API tokens. */
export const tokens = {
  title: "API tokens",
  lead: "Your systems use a token to read this shop's orders, designs and customizers. A token can't change anything.",
  newToken: "New token",
  newTokenHint: "Name it after the system that will use it",
  ends: "Ends",
  endsHint: "From its end on, the token is refused. A notice comes seven days before.",
  inDays: (days: number) => `In ${days} days`,
  ended: "Ended",
  scopes: "May read",
  scopeHints: {
    "orders:read": "Orders with their designs",
    "designs:read": "Single designs, drafts included",
    "customizers:read": "Customizers and their published definitions",
    "events:read": "The event feed, with the orders and designs that its events carry",
  },
  /** A token with all scopes. */
  everything: "All scopes",
  full: (maximum: number) =>
    `A shop can have ${maximum} tokens, and this one has them all. Delete one to create another.`,
  create: "Create token",
  planTitle: "API tokens are part of the Pro and Plus plans",
  planText: "This shop is on the free plan. Its tokens are refused, and new ones can't be created.",
  list: "Tokens",
  none: "No tokens yet",
  noneLead: "Create one for the first system that will read this shop, then try it:",
  tryIt: "Try it:",
  name: "Name",
  token: "Token",
  created: "Created",
  lastUsed: "Last used",
  actions: "Actions",
  never: "Never",
  remove: "Delete",
  removeLabel: (name: string) => `Delete the token ${name}`,
  ready: (name: string) => `The token “${name}” is ready.`,
  secret: "the token",
  missing: "The shop has no such token. It may have been deleted.",
  deleteTitle: (name: string) => `Delete the token “${name}”`,
  deleteSubmit: "Delete token",
  deleteQuestion: (name: Inline): Inline => ["Delete the token “", name, "”?"],
  deleteText: (token: Inline): Inline => [
    "Systems that read this shop with ",
    token,
    " stop working at once and get the response 401. This can't be undone.",
  ],
  neverUsed: "It has never been used.",
  lastUsedAt: (when: Inline): Inline => ["It was last used ", when, "."],
  deleted: (name: string) => `The token “${name}” is deleted. From now on, it is refused.`,
}
