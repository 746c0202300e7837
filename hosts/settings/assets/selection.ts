// Buttons that act on the ticked boxes of a list say how many there are, and are there only if there is one.

const locale = document.documentElement.dataset["locale"] ?? document.documentElement.lang

/** Brings such buttons in a part of the page up to date with the boxes that are ticked now. */
export const showSelection = (part: ParentNode): void => {
  for (const button of part.querySelectorAll<HTMLButtonElement>("[data-selection]")) {
    // `form.id` would be its fields with the name "id".
    const id = button.closest("form")?.getAttribute("id") ?? ""
    const count = document.querySelectorAll(`input[form="${id}"]:checked`).length
    button.hidden = count === 0
    button.textContent = (button.dataset["selection"] ?? "").replace("#", count.toLocaleString(locale))
  }
}
