/** The texts about what a store's plan does not include. */
export const plans = {
  webhooks: [
    "Webhooks are part of the Pro and Plus plans. This store is on the free plan: nothing is sent,",
    "and endpoints can't be added.",
  ].join(" "),
  waits: "When the store's plan includes webhooks",
}
