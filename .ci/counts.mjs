// Prints the tests of a report that failed, each with its first message, those that passed at their second try only,
// and as the last line "N passed, N failed, N skipped"; fails unless
// tests ran, all of them passed and every file loaded.
import { existsSync, readFileSync } from "node:fs"

const path = process.argv[2]
const report = path && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { testResults: [] }

const tests = report.testResults.flatMap((file) =>
  // A file that does not load holds no test, and still failed.
  file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
    ? [...file.assertionResults, { status: "failed", fullName: file.name, failureMessages: [file.message] }]
    : file.assertionResults,
)
const failures = tests.filter((test) => test.status === "failed")
const passed = tests.filter((test) => test.status === "passed").length

const flaky = tests.filter((test) => test.status === "passed" && test.failureMessages?.length > 0)

const print = (word, { fullName, failureMessages }) =>
  console.log(`${word}: ${fullName}\n${(failureMessages[0] ?? "").slice(0, 2000)}\n`)
for (const test of flaky) print("flaky", test)
for (const test of failures) print("failed", test)
console.log(`${passed} passed, ${failures.length} failed, ${tests.length - passed - failures.length} skipped`)
process.exitCode = passed > 0 && failures.length === 0 && report.success === true ? 0 : 1
