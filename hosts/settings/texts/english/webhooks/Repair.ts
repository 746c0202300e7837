import { figuresOf } from "../../../parts/Figures.ts"

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
    goesOn: "The retry schedule goes on after it.",
    lastOne: "It was the last one.",
    notYet: "The delivery is due now. It has not been attempted yet: reload the page in a moment.",
    refused: {
      finished: "The delivery is finished and is not attempted any more. Redeliver it to send its event again.",
      underWay: "An attempt is under way: nothing was changed. Look at its outcome before you try again.",
      behind: "An earlier delivery about the same order or design comes first: try that one.",
      paused: "The endpoint is paused: enable it, and its deliveries go on.",
      off: "The endpoint is switched off: enable it, and its deliveries go on.",
    },
  },
  redeliver: "Redeliver",
  redeliverWaiting: "Send as a new delivery",

  select: (event: string, id: string) => `Select: ${event}, delivery ${id}`,
  sendSelected: "Send selected again",
  sendCounted: (count: string) => `Send ${count} selected again`,
  sendFound: (count?: number) =>
    count === undefined ? "Send all that the filter finds again…" : `Send all ${figure(count)} again…`,

  older: "Older deliveries",
  newer: "Newer deliveries",

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
    from: "From, in UTC",
    to: "Before, in UTC",
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
    explained: "It goes on step by step. You can stop it, and what was sent again stays so.",
    goOn: "Go on",
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
    own: "Since, in UTC",
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
