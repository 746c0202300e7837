/** The texts of pages that stay up to date by themselves. */
export const live = {
  stale: "This page could not be brought up to date: it may show how things were. Load it again.",
}
