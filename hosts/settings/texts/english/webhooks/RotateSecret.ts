/** The texts of the rotation of a signing secret. */
export const rotateSecret = {
  title: "Rotate the signing secret",
  pageTitle: (host: string) => `Rotate the signing secret of ${host}`,
  lead: [
    "A new signing secret is created and shown once. For a while, deliveries are still signed with",
    "the old one, so that you have time to add the new one to your receiver.",
  ].join(" "),
  replaces:
    "There is already a new secret that does not sign yet. It is replaced, and your receiver will never need it.",
  overlap: "How long the old secret still signs",
  overlapHint: "You can end this period early on the page of the endpoint, once your receiver has the new secret.",
  hour: "1 hour",
  day: "1 day",
  week: "7 days",
  none: "Not at all, because it has leaked",
  submit: "Create a new secret",
  replaced: "The signing secret has been replaced. From now on, deliveries are signed with this one.",
  rotated: "This is the new signing secret. Add it to your receiver, and keep the old one, which still signs.",
  promoted: "Deliveries are now signed with the new secret. You can remove the old one from your receiver in a minute.",
}
