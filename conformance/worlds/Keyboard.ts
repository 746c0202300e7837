/** A person at a real browser who uses the keyboard alone. */
import type { Page } from "playwright-core"

/** What the focused element is called: by its label, or by the text in it. */
const focused = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return ""
  const name = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent
  return name.replace(/\\s+/g, " ").trim()
})()`

/** More tab stops than any page has. */
const many = 200

export interface Keyboard {
  /** Tabs on until what is called so has the focus. Fails where nothing on the page is. */
  readonly to: (name: string | RegExp) => Promise<void>
  /** Types into the field of this name, in place of what it has. */
  readonly fill: (name: string | RegExp, text: string) => Promise<void>
  /** Presses Enter on the link or the button of this name. */
  readonly press: (name: string | RegExp) => Promise<void>
  /** The same, and waits for the page that it leads to. */
  readonly follow: (name: string | RegExp) => Promise<void>
  /** Chooses what begins so from the list of this name. */
  readonly choose: (name: string | RegExp, choice: string) => Promise<void>
  /** Changes a check box. */
  readonly check: (name: string | RegExp) => Promise<void>
}

export const keyboardOn = (page: Page): Keyboard => {
  const { keyboard } = page
  const to = async (name: string | RegExp) => {
    const seen: Array<string> = []
    for (let stop = 0; stop < many; stop++) {
      const here = await page.evaluate<string>(focused)
      if (typeof name === "string" ? here === name : name.test(here)) return
      seen.push(here)
      await keyboard.press("Tab")
    }
    throw new Error(`Nothing at ${page.url()} that Tab leads to is called ${name}: ${[...new Set(seen)].join(", ")}`)
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
