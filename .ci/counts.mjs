// Prints "N passed, N failed, N skipped" of a test report; fails unless tests ran, all of them passed and every file loaded.
import { existsSync, readFileSync } from "node:fs"

const path = process.argv[2]
const report = path && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { testResults: [] }

const statuses = report.testResults.flatMap((file) =>
  // A file that does not load holds no test, and still failed.
  file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
    ? [...file.assertionResults.map((test) => test.status), "failed"]
    : file.assertionResults.map((test) => test.status),
)
const passed = statuses.filter((status) => status === "passed").length
const failed = statuses.filter((status) => status === "failed").length
const skipped = statuses.length - passed - failed

console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = passed > 0 && failed === 0 && report.success === true ? 0 : 1
