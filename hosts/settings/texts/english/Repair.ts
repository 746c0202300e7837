import { figuresOf } from "../../parts/Figures.ts"

const { figure } = figuresOf("en-GB")

const deliveries = (count: number): string => `${figure(count)} ${count === 1 ? "delivery" : "deliveries"}`
const events = (count: number): string => `${figure(count)} ${count === 1 ? "event" : "events"}`
const are = (count: number): string => (count === 1 ? "is" : "are")

/** The texts of trying deliveries now, sending them again, and recovering events. */
export const repair = {
  tryNow: "Try now",
  tryNowOf: (event: string, id: string) => `Try now: ${event}, delivery ${id}`,
  tried: {
    succeeded: (number: number, outcome: string) => `Attempt ${figure(number)} succeeded: ${outcome}.`,
    failed: (number: number, outcome: string) => `Attempt ${figure(number)} failed: ${outcome}.`,
    goesOn: "The retry schedule continues after it.",
    lastOne: "It was the last one.",
    notYet: "The delivery is due now. It has not been attempted yet: reload the page in a moment.",
    refused: {
      finished: "The delivery is finished and is not attempted any more. Redeliver it to send its event again.",
      underWay: "An attempt is under way: nothing was changed. Look at its outcome before you try again.",
      behind: "An earlier delivery about the same order or design comes first: try that one.",
      paused: "The endpoint is paused: enable it, and its deliveries continue.",
      off: "The endpoint is switched off: enable it, and its deliveries continue.",
    },
  },
  redeliver: "Redeliver",
  redeliverWaiting: "Send as a new delivery",

  select: (event: string, id: string) => `Select: ${event}, delivery ${id}`,
  sendSelected: "Send selected again",
  sendCounted: (count: string) => `Send ${count} selected again`,
  sendFound: (count?: number) =>
    count === undefined ? "Send all that the filter finds again…" : `Send all ${figure(count)} again…`,

  question: {
    title: "Send deliveries again",
    heading: (count: number) => (count === 0 ? "There is nothing to send again" : `Send ${deliveries(count)} again?`),
    explained:
      "Each becomes a new delivery with the same event id and the same body. An event is sent once, even if the log " +
      "has several deliveries of it. Pending deliveries are left out, because they will be sent anyway.",
    held: "The endpoint is not active: they are held until you enable it.",
    noneSelected: "Nothing is selected, so nothing was sent again. Go back, and tick the deliveries that you mean.",
    selected: (selected: number) => `You have selected ${deliveries(selected)}.`,
    send: (count: number) => `Send ${deliveries(count)} again`,
    cancel: "Cancel",
    back: "Back to the endpoint",
    filter: "Which deliveries",
    state: "State",
    allStates: "All finished",
    kind: "Event",
    allKinds: "All events",
    from: (zone: string) => `From, in ${zone}`,
    to: (zone: string) => `Before, in ${zone}`,
    tests: "Test events, too",
    count: "Count",
    wrongTime: "Enter a date and a time.",
    wrongOrder: "Enter a time after the first one.",
    tooMany: (maximum: number) => `Select at most ${figure(maximum)} deliveries, or send all that a filter finds.`,
  },
  progress: {
    title: "Sending again",
    heading: "Deliveries are being sent again",
    done: (sent: number, total: number) => `${figure(sent)} of ${figure(total)} sent again`,
    explained: "It continues step by step. You can stop it, and what was sent again stays so.",
    goOn: "Continue",
    stop: "Stop",
  },
  stopped: (sent: number, total: number) => `Stopped: ${figure(sent)} of ${deliveries(total)} were sent again.`,
  sentAgain: (sent: number) => `Sent again: ${deliveries(sent)}.`,
  nothingSent: "Nothing was sent again.",

  recover: {
    title: "Send missed events",
    heading: "Missed events",
    explained:
      "Events that this endpoint should have received and has not: none of their deliveries succeeded or is pending. " +
      "Events are kept for 30 days.",
    open: "Look for missed events",
    presets: "Since when",
    lastHour: "Last hour",
    lastDay: "Last 24 hours",
    sincePaused: "Since it was paused",
    sinceOff: "Since it was switched off",
    own: (zone: string) => `Since, in ${zone}`,
    preview: "Count",
    wrongTime: "Enter the time from which missed events should be sent.",
    found: (count: number) => (count === 0 ? "It has missed no events since" : `It has missed ${events(count)} since`),
    send: (count: number) => (count === 1 ? "Send it" : `Send ${events(count)}`),
    sent: (count: number) =>
      count === 0 ? "The endpoint has missed no events since then." : `${events(count)} ${are(count)} on the way.`,
  },

  /** What is true once something was done. */
  pending: (count: number, isActive: boolean) =>
    isActive
      ? `${deliveries(count)} ${are(count)} pending now.`
      : `${deliveries(count)} ${are(count)} held until the endpoint is enabled.`,
}

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
    wrong: "Nothing was changed. The form was made for another person or another shop. Open the page again.",
    old: "Nothing was changed. The page was opened more than twelve hours ago. Open it again, then repeat the change.",
  },
  /** Above a form that was not taken, with its content. */
  again: {
    wrong: "Nothing was changed. The form was made for another person or another shop. Check your input, then send it.",
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

/** The faults of a form, in the words of its reader. */
export const problems = {
  name: (maximum: number) => `Enter a name of 1 to ${figure(maximum)} characters, without control characters.`,
  description: (maximum: number) =>
    `Enter a description of at most ${figure(maximum)} characters, without control characters.`,
  url: (maximum: number) => `Enter a URL of at most ${figure(maximum)} characters, without control characters.`,
  events: "Choose at least one kind of event.",
  customizers: "Enter ids of customizers, each once, at most 100.",
  maxPerSecond: "Enter a whole number from 1 to 1,000, or nothing.",
  maxConcurrent: "Enter a whole number from 1 to 8, or nothing.",
  headers: "Enter at most 10 headers, one a line as Name: value, each name once, in visible characters of ASCII.",
  reservedHeader: (name: string) => `Use another name than ${name}: the service or the connection sets it.`,
  domain: "Enter a domain, e.g. acme.example.com.",
  othersDomain: "Another shop is connected to this domain.",
  secret: "Enter 16 to 255 characters.",
  accessKey: "Enter 16 to 512 letters, digits and other characters of ASCII, without spaces.",
  keyAndSecret: "Enter the key and the secret of the REST API with a colon between them: ck_…:cs_…",
  states: "Enter at most 50 names, each of 1 to 255 characters.",
  scopes: "Choose at least one scope.",
  scope: 'Enter scopes with a space between two of them, at most 1,024 characters, without " and \\.',
  visible: (maximum: number) => `Enter 1 to ${figure(maximum)} letters, digits and other characters of ASCII.`,
  oneAuthorization: "Remove the header Authorization of your own first: OAuth sets it.",
  certificate: "Enter a certificate as PEM that TLS can use.",
  key: "Enter the key of the certificate as PEM, without a passphrase.",
  otherKey: "The key belongs to another certificate.",
  ended: "This certificate has ended.",
  expiresAt: "Choose when the token ends.",
  overlap: "Choose how long the old secret still signs.",
  notAbsolute: "Enter a whole URL, e.g. https://erp.example.com/webhooks.",
  notHttps: "The URL must begin with https://.",
  notHttp: "The URL must begin with https:// or http://.",
  password: "The URL must not have a user name or a password in it.",
  fragment: "The URL must not have a part after #.",
  port: (port: string) => `Use another port: ${port} belongs to another kind of service.`,
  notPublic: "Nothing can be sent to this host: it is not public, or it is blocked here.",
  notFound: "This host was not found. Check its name, or try again in a moment.",
  /** There are as many as there may be. */
  full: (maximum: number) => `There are ${figure(maximum)} already, the most a shop can have. Delete one first.`,
  plan: "The shop's plan does not include this.",
  /** A fault without words of its own. `message` is in English. */
  other: (message: string) => message,
}

/**
 * Words for the sentences in which the service says why it refuses something, by the sentence, with `{}` for what they
 * are about. Those that are not here are shown as they are: English needs none.
 */
export const reasons: Readonly<Record<string, string>> = {}
