// The script of every page. Pages work without it. With it, buttons copy texts, a question before a deletion opens in
// place, times are also shown in the browser's zone, a form is sent once, and pages stay up to date.

import { sendAsChosen } from "./asChosen.ts"
import { keepLive } from "./live.ts"
import { addLocalTimes, keepZone } from "./localTimes.ts"
import { showSelection } from "./selection.ts"

/** Shows the copy buttons in a part of the page if the browser lets scripts copy. */
const showCopyButtons = (part: ParentNode): void => {
  for (const button of part.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = !navigator.clipboard
}

/** Prepares a part of a page before it is shown. */
const prepare = (part: ParentNode): void => {
  showCopyButtons(part)
  addLocalTimes(part)
  showSelection(part)
}

const copy = async (button: HTMLElement): Promise<void> => {
  const text = button.closest("[data-copyable]")?.querySelector("pre, code")?.textContent ?? ""
  await navigator.clipboard.writeText(text)
  const label = button.textContent
  button.textContent = button.dataset["copy"] ?? label
  setTimeout(() => {
    button.textContent = label
  }, 1500)
}

const loadPage = async (url: string): Promise<Document> => {
  const response = await fetch(url, { credentials: "same-origin" })
  if (!response.ok || response.redirected) throw new Error(`No page at ${url}`)
  return new DOMParser().parseFromString(await response.text(), "text/html")
}

const find = (part: ParentNode, selector: string): HTMLElement => {
  const element = part.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`No ${selector}`)
  return element
}

/** Opens the question that a link leads to in a dialog. */
const askInPlace = async (link: HTMLAnchorElement): Promise<void> => {
  const question = find(await loadPage(link.href), "[data-question]")
  prepare(question)
  const form = find(question, "form") as HTMLFormElement
  const cancel = find(question, "[data-cancel]")
  find(question, "h1").id = "question"
  form.action = new URL(form.getAttribute("action") ?? "", link.href).href
  const dialog = document.createElement("dialog")
  dialog.setAttribute("aria-labelledby", "question")
  dialog.append(question)
  cancel.addEventListener("click", (event) => {
    event.preventDefault()
    dialog.close()
  })
  dialog.addEventListener("close", () => {
    dialog.remove()
    link.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  cancel.focus()
}

prepare(document)
keepZone()
sendAsChosen(loadPage, prepare)
document.addEventListener("change", () => showSelection(document))
// The browser ticks boxes again when it goes back to a page.
addEventListener("pageshow", () => showSelection(document))

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const copyButton = event.target.closest<HTMLElement>("[data-copy]")
  if (copyButton !== null) {
    void copy(copyButton)
    return
  }
  const link = event.target.closest<HTMLAnchorElement>("a[data-ask]")
  if (link === null) return
  event.preventDefault()
  askInPlace(link).catch(() => {
    location.href = link.href
  })
})

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented) return
  if (form.method === "post" && form.dataset["sent"] !== undefined) {
    event.preventDefault()
    return
  }
  form.dataset["sent"] = "yes"
  // The button says at once that it works.
  event.submitter?.setAttribute("aria-busy", "true")
  const rest = () => {
    delete form.dataset["sent"]
    event.submitter?.removeAttribute("aria-busy")
  }
  setTimeout(rest, 8000)
  addEventListener("pageshow", rest, { once: true })
})

const stream = document.querySelector<HTMLElement>("[data-stream]")?.dataset["stream"]
// The menu is not worth reading a page again.
const isLive = document.querySelector("main [data-live]") !== null
if (stream !== undefined && isLive) keepLive(stream, loadPage, prepare)

// A run of many steps continues by itself, unless somebody stops it.
const run = document.querySelector<HTMLFormElement>("form[data-go-on]")
if (run !== null) {
  const next = setTimeout(() => run.requestSubmit(), 400)
  document.addEventListener("submit", () => clearTimeout(next))
}
