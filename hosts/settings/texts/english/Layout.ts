/** The texts around every page. */
export const layout = {
  skip: "Skip to content",
  menu: "Settings",
  overview: "Overview",
  orders: "Orders",
  customizers: "Customizers",
  webhooks: "Webhooks",
  deliveries: "Deliveries",
  events: "Event catalogue",
  tokens: "API tokens",
  audit: "Changes",
  changeStore: "Change store",
  signOut: "Sign out",
  session: "Your session",
  readOnly: "You may look at everything here, and change nothing: the link that you came by is read-only.",
}
