/**
 * The tasks, from a terminal. `npm run tasks -- prepare NAME DIRECTORY` makes a folder for somebody who solves a task;
 * it packs what the last build made. `npm run tasks -- check NAME DIRECTORY` says whether the folder does what the task
 * asks for, or what it lacks, and ends with 0 or 1.
 */
import { resolve } from "node:path"
import process from "node:process"
import { Attempt } from "./Attempt.ts"
import { prepare } from "./Folder.ts"
import { Missing } from "./Program.ts"
import { names, taskOf } from "./Tasks.ts"

const [action, name = "", directory = ""] = process.argv.slice(2)

const checked = async (): Promise<void> => {
  const { check } = await taskOf(name)
  const attempt = new Attempt(resolve(directory))
  try {
    await check(attempt)
    console.log(`${name}: passed`)
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    console.log(`${name}: not yet. ${error.message}`)
    process.exitCode = 1
  } finally {
    await attempt.close()
  }
}

if (directory === "" || !names.includes(name) || (action !== "prepare" && action !== "check")) {
  console.error(`npm run tasks -- prepare|check NAME DIRECTORY\nThe names are ${names.join(", ")}`)
  process.exitCode = 2
} else if (action === "prepare") {
  await prepare(name, directory)
  console.log(`${directory} is ready: begin with task.md`)
} else await checked()
