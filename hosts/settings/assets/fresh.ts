// Rows that arrive while a list is read wait behind a button, which says how many they are: nothing moves meanwhile.
import { change, keyOf, leave, morph } from "./morph.ts"

const rowsOf = (part: Element) => new Map([...part.querySelectorAll("tbody tr")].map((row) => [keyOf(row), row]))

/** Brings a part of the page up to date. Rows that it shows change at once; new ones wait if there is a text for it. */
export const bring = (shown: HTMLElement, current: Element): void => {
  const text = current.getAttribute("data-fresh")
  const [rows, next] = [rowsOf(shown), rowsOf(current)]
  const arrived = [...next.keys()].filter((key) => !rows.has(key)).length
  const known = shown.querySelector<HTMLElement>(":scope > [data-arrived]")
  if (text === null || rows.size === 0 || arrived === 0) {
    known?.remove()
    morph(shown, current)
    return
  }
  // New rows push the last ones off the page. Others that are missing have left the list.
  let isLast = true
  for (const [key, row] of [...rows].reverse()) {
    const same = next.get(key)
    if (same !== undefined) change(row, same.cloneNode(true))
    else if (!isLast) leave(row)
    isLast &&= same === undefined
  }
  const button = known ?? document.createElement("button")
  button.className = "button small"
  button.dataset["arrived"] = ""
  // Of more new rows than a page has, the others are not known.
  button.textContent = text.replace("#", arrived === next.size ? `${arrived}+` : String(arrived))
  button.onclick = () => {
    button.remove()
    morph(shown, current)
    shown.querySelector<HTMLElement>("tbody a")?.focus()
  }
  if (known === null) shown.prepend(button)
}
