// Keeps the page up to date: a stream of the server says when something of the store has changed, and the page's
// regions are then read again. Without the stream, the page looks now and then.
import { bring } from "./fresh.ts"
import { outdated } from "./morph.ts"

/** The time between two looks, at least, and how old a page may be even if nothing is said to have changed. */
const [pause, oldest] = [1_000, 60_000]

/** The waits without a stream: first, and at most. */
const [shortest, longest] = [5_000, 60_000]

/** Reads pages and brings the shown one up to date. */
export const keepLive = (
  stream: string,
  loadPage: (url: string) => Promise<Document>,
  prepare: (part: ParentNode) => void,
): void => {
  let source: EventSource | undefined
  let wait = shortest
  let isReading = false
  let isOld = false
  let failures = 0

  /** Says whether the page is known to be up to date. */
  const show = (isStale: boolean): void => {
    const notice = document.querySelector<HTMLElement>("[data-stale]")
    if (notice !== null) notice.hidden = !isStale
  }

  const bringUpToDate = (page: Document): void => {
    for (const shown of document.querySelectorAll<HTMLElement>("[data-live]")) {
      const current = page.querySelector(`[data-live="${shown.dataset["live"]}"]`)
      if (current === null) continue
      prepare(current)
      bring(shown, current)
    }
  }

  const read = async (): Promise<void> => {
    isOld = true
    if (isReading || document.hidden) return
    isReading = true
    while (isOld) {
      isOld = false
      try {
        bringUpToDate(await loadPage(location.href))
        failures = 0
      } catch {
        failures++
      }
      show(failures > 1)
      await new Promise((resume) => setTimeout(resume, pause))
    }
    isReading = false
  }

  const listen = (): void => {
    if (source !== undefined || document.hidden) return
    source = new EventSource(stream)
    source.onmessage = () => {
      wait = shortest
      void read()
    }
    source.onerror = () => {
      // Otherwise the browser tries again automatically.
      if (source?.readyState !== EventSource.CLOSED) return
      source = undefined
      void read()
      setTimeout(listen, wait * (1 + Math.random()))
      wait = Math.min(longest, wait * 2)
    }
  }

  const leave = (): void => {
    source?.close()
    source = undefined
  }

  // Browsers allow few connections: only pages that are seen have one.
  const follow = (): void => {
    if (document.hidden) leave()
    else listen()
  }
  document.addEventListener("visibilitychange", follow)
  addEventListener("pagehide", leave)
  addEventListener("pageshow", follow)
  // Outdated elements that had the focus go once the focus has moved.
  document.addEventListener("focusout", () => {
    if (document.querySelector(outdated) !== null) setTimeout(() => void read())
  })
  setInterval(() => void read(), oldest)
}
