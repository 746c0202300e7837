import type { Texts } from "../Language.ts"

export const plans: Texts["plans"] = {
  webhooks: [
    "Webhooks sind in den Tarifen Pro und Plus enthalten. Dieser Shop hat den kostenlosen Tarif: Es",
    "wird nichts gesendet, und es lassen sich keine Endpoints hinzufügen.",
  ].join(" "),
  waits: "Sobald der Tarif des Shops Webhooks enthält",
}
