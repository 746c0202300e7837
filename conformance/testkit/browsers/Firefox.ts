/** An installed Firefox for tests, driven over WebDriver BiDi. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { install } from "../processes/Install.ts"

/** Path of the program; `undefined` if it is not installed. */
const binary = ["firefox-esr", "firefox"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, name)))
  .find((path) => existsSync(path))

/** Why tests in Firefox are skipped; `undefined` if they can run. */
export const noFirefox: string | undefined =
  binary === undefined ? "Firefox is not installed (Debian: apt-get install firefox-esr)" : undefined

/** What tests use of a page in Firefox. */
export interface FirefoxPage {
  readonly goto: (url: string) => Promise<unknown>
  readonly url: () => string
  /** Shows the page, in front of the other tabs. */
  readonly bringToFront: () => Promise<void>
  /** The value of an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly keyboard: {
    readonly press: (key: string) => Promise<void>
    readonly down: (key: string) => Promise<void>
    readonly up: (key: string) => Promise<void>
    readonly type: (text: string) => Promise<void>
  }
  readonly on: (event: "pageerror", listener: (error: Error) => void) => unknown
}

/** What tests use of Firefox. */
export interface Firefox {
  readonly newPage: () => Promise<FirefoxPage>
  readonly close: () => Promise<void>
}

/** What tests use of the package that drives Firefox. */
interface Driver {
  readonly launch: (options: { readonly browser: "firefox"; readonly executablePath: string }) => Promise<Firefox>
}

/** Starts Firefox. The caller closes it. */
export const openFirefox = async (): Promise<Firefox> => {
  if (binary === undefined) throw new Error(noFirefox)
  const installed = await install(new URL("../../checks/browser/", import.meta.url))
  const { href } = pathToFileURL(join(installed, "node_modules/puppeteer-core/lib/puppeteer/puppeteer-core.js"))
  const { default: driver } = (await import(/* @vite-ignore */ href)) as { readonly default: Driver }
  return driver.launch({ browser: "firefox", executablePath: binary })
}
