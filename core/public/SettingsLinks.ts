/** Links to the settings app, for one store each. */
export { createSettingsLink as create, SettingsApp as App } from "../usecases/access/SettingsLinks.ts"
