/**
 * Forms that only read: whatever is chosen in them is sent at once, and the parts of the page that depend on it are
 * replaced. The part with the focus stays. Without this script the form's button does the same.
 */
export const sendAsChosen = (load: (url: string) => Promise<Document>, show: (part: ParentNode) => void): void => {
  const form = document.querySelector<HTMLFormElement>("form[data-as-chosen]")
  if (form === null) return
  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const update = async (): Promise<void> => {
    const own = ++latest
    const url = new URL(form.action)
    const fields = new FormData(form, form.querySelector<HTMLButtonElement>("button[name]"))
    url.search = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])).toString()
    const current = await load(url.href)
    // A later choice has its own answer.
    if (own !== latest) return
    for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
      const next = current.getElementById(part.id)
      if (next === null) continue
      part.hidden = next.hidden
      if (part.contains(document.activeElement) || part.innerHTML === next.innerHTML) continue
      show(next)
      part.replaceChildren(...next.childNodes)
    }
    history.replaceState(null, "", url)
  }

  form.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Parts that can't be updated stay as they are until the form is sent.
      update().catch(() => undefined)
    }, 250)
  })
}
