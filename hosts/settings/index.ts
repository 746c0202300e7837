/** The settings app: what the owner of a store manages in a browser (§1, §5, §6). To be mounted in an application that serves HTTP. */
export { make } from "./App.ts"
export type { SettingsOptions } from "./Options.ts"
