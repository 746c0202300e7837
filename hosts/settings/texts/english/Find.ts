import { figuresOf } from "../../parts/Figures.ts"

const { figure, plural } = figuresOf("en-GB")

/** The texts of the search. */
export const find = {
  label: "Find an order by its id or name, or a design, event or delivery by its id",
  placeholder: "Find by id or order name",
  button: "Find",
  title: "Find",
  titleOf: (query: string) => `Find ${query}`,
  results: (query: string) => `Results for ${query}`,
  as: { order: "Order", design: "Design", event: "Event", delivery: "Delivery" },
  open: "Show it",
  moreOrders: "Several orders have this name, and only the newest are shown here.",
  allOrders: (name: string) => `All orders named ${name}`,
  noEvents: "No event about it is kept any more, and no delivery.",
  events: (count: number, most: number) =>
    count >= most
      ? `The newest ${figure(most)} events about it`
      : `${figure(count)} ${plural(count, { one: "event", other: "events" })} about it`,
  noDeliveries: "No endpoint has a delivery of it: none takes the event, or the deliveries are no longer kept.",
  nothing: "Nothing was found",
  hint:
    "Search for the id or the name of an order on your platform, or for the id of a design, event (evt_…) or delivery " +
    "(dlv_…), or paste a sentence or a link that has one. Events and deliveries are kept for 30 days.",
}
