/** The script of every page. Pages work without it: it copies, asks in place before something is deleted, and keeps logs fresh. */
export const script = `const copied = (button) => {
  const before = button.textContent
  button.textContent = "Copied"
  setTimeout(() => { button.textContent = before }, 1500)
}

const dress = (part) => {
  for (const button of part.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard
}
dress(document)

document.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const copy = event.target.closest("[data-copy]")
  if (copy) {
    await navigator.clipboard.writeText(copy.closest("[data-copyable]").querySelector("pre, code").textContent)
    copied(copy)
    return
  }
  const ask = event.target.closest("a[data-ask]")
  if (!ask) return
  event.preventDefault()
  try {
    const question = (await pageAt(ask.href)).querySelector("[data-question]")
    if (!question) throw new Error("No question")
    const dialog = document.createElement("dialog")
    const heading = question.querySelector("h1")
    heading.id = "question"
    dialog.setAttribute("aria-labelledby", "question")
    dialog.append(question)
    const form = question.querySelector("form")
    form.action = new URL(form.getAttribute("action"), ask.href)
    const cancel = question.querySelector("[data-cancel]")
    cancel.addEventListener("click", (event) => { event.preventDefault(); dialog.close() })
    dialog.addEventListener("close", () => { dialog.remove(); ask.focus() })
    document.body.append(dialog)
    dialog.showModal()
    cancel.focus()
  } catch {
    location.href = ask.href
  }
})

const pageAt = async (address) => {
  const answer = await fetch(address, { credentials: "same-origin" })
  if (!answer.ok || answer.redirected) throw new Error("No such page")
  return new DOMParser().parseFromString(await answer.text(), "text/html")
}

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return
  if (event.target.dataset.sent) return event.preventDefault()
  event.target.dataset.sent = "yes"
  setTimeout(() => { delete event.target.dataset.sent }, 8000)
})

const fresh = document.querySelector("[data-fresh]")
if (fresh) {
  const seconds = Number(fresh.dataset.fresh)
  setInterval(async () => {
    if (document.hidden || document.querySelector("dialog[open]")) return
    const shown = document.querySelector("[data-fresh]")
    if (shown.contains(document.activeElement)) return
    try {
      const next = (await pageAt(location.href)).querySelector("[data-fresh]")
      if (!next) return
      dress(next)
      if (next.innerHTML !== shown.innerHTML) shown.replaceWith(next)
    } catch { /* The next time, then. */ }
  }, seconds * 1000)
}
`
