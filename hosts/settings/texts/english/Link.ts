/** The texts of the page that a link for one store opens. */
export const link = {
  title: "Open the settings",
  lead: (store: string) => `This link opens the settings of ${store}, once.`,
  as: (actor: string) => `It was made for ${actor}.`,
  readOnly: "You can look at everything, and change nothing.",
  open: "Open the settings",
  toSettings: "Go to the settings",
  problem: "This link can't be used",
  invalid: "It is not complete, or not for this store.",
  expired: "Its time has ended.",
  used: "It was used before, and every link opens the settings once.",
  newLink: "Ask for a new link where you got this one.",
}
