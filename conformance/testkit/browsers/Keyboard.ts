/** Keyboard-only use of a real browser. */
import type { Page } from "playwright-core"

/** The name of the focused element: its label or its text. */
export const focused = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return ""
  const name = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent
  return name.replace(/\\s+/g, " ").trim()
})()`

/** More tab stops than any page has. */
const maximumStops = 200

export interface Keyboard {
  /** Presses Tab until the element with this name has the focus. Fails if the page has no such element. */
  readonly to: (name: string | RegExp) => Promise<void>
  /** Replaces the text of the field with this name. */
  readonly fill: (name: string | RegExp, text: string) => Promise<void>
  /** Presses Enter on the link or button with this name. */
  readonly press: (name: string | RegExp) => Promise<void>
  /** Presses Enter on the link or button with this name, and waits for the next page. */
  readonly follow: (name: string | RegExp) => Promise<void>
  /** Chooses the option that begins with `choice` from the list with this name. */
  readonly choose: (name: string | RegExp, choice: string) => Promise<void>
  /** Checks or unchecks the box with this name. */
  readonly check: (name: string | RegExp) => Promise<void>
}

export const keyboardOn = (page: Page): Keyboard => {
  const { keyboard } = page
  const to = async (name: string | RegExp) => {
    const seen: Array<string> = []
    for (let stop = 0; stop < maximumStops; stop++) {
      const here = await page.evaluate<string>(focused)
      if (typeof name === "string" ? here === name : name.test(here)) return
      seen.push(here)
      await keyboard.press("Tab")
    }
    throw new Error(`Tab reaches nothing named ${name} at ${page.url()}, only: ${[...new Set(seen)].join(", ")}`)
  }
  const press = async (name: string | RegExp) => {
    await to(name)
    await keyboard.press("Enter")
  }
  return {
    to,
    press,
    fill: async (name, text) => {
      await to(name)
      await keyboard.press("ControlOrMeta+a")
      await keyboard.press("Delete")
      await keyboard.insertText(text)
    },
    follow: async (name) => {
      await to(name)
      await Promise.all([page.waitForEvent("load"), keyboard.press("Enter")])
    },
    choose: async (name, choice) => {
      await to(name)
      await keyboard.type(choice)
    },
    check: async (name) => {
      await to(name)
      await keyboard.press("Space")
    },
  }
}
