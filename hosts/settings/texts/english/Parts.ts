/** The texts of parts that several pages share. */
export const parts = {
  copy: "Copy",
  copied: "Copied",
  copyLabel: (what: string) => `Copy ${what}`,
  cancel: "Cancel",
  keep: "Keep it",
  shownOnce: "It is shown only once. Store it now, together with your other secrets.",
  stored: "I have stored it",
  webhooks: "Webhooks",
  events: "Events",
  test: "Test",
  wholeUrl: "Whole URL",
}
