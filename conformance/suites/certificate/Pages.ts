/** A certificate for people and machines: a page, JUnit, a badge. Each is made of the certificate only. */
import { printableLines } from "../../../core/model/log/Printable.ts"
import { formats } from "../runner/formats.ts"
import type { Result } from "../runner/Report.ts"
import { type Certificate, judge } from "./Certificate.ts"

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const escaped = (text: string): string => printableLines(text).replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one)

/** The profile with its version: `rest v1`. */
const profileOf = ({ facts: { profile } }: Certificate): string => `${profile.name} v${profile.version}`

/** The certificate as JUnit's XML, for test collectors. */
export const junitOf = (certificate: Certificate): string => {
  const { facts, run } = certificate
  const results = facts.cases.map(({ id, reason, title, verdict }): Result => {
    const { durationMs = 0, message = reason ?? null } = run.cases[id] ?? {}
    return { id, title, status: verdict, durationMs, message, requirements: [], ports: [] }
  })
  const count = (status: Result["status"]) => results.filter((result) => result.status === status).length
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") }
  const suite = `${facts.suite.name} ${profileOf(certificate)}`
  return `${formats.junit.done({ suite, ...counts, durationMs: run.durationMs, results })}\n`
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; font-weight: bold; padding: .5rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-top: 1px solid #8888 }
dt { font-weight: bold } dd { margin: 0 0 .5rem; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
.failed { color: #c62828 } .skipped { opacity: .75 }
@media (prefers-color-scheme: dark) { .failed { color: #ff8a80 } }
`

/** Details of a case that did not pass: why it was skipped, or why it failed with its last calls. */
const details = (certificate: Certificate, { id, reason }: Certificate["facts"]["cases"][number]): string => {
  if (reason !== undefined) return `<p>${escaped(reason)}</p>`
  const { exchanges = [], message } = certificate.run.cases[id] ?? {}
  if (message === undefined) return ""
  const asked = exchanges.map(({ answered, asked: what }) => `${what}\n  ${answered}`).join("\n")
  const calls = asked === "" ? "" : `<details><summary>Last calls</summary><pre>${escaped(asked)}</pre></details>`
  return `<pre>${escaped(message)}</pre>${calls}`
}

/** The certificate as one page without scripts. */
export const htmlOf = (certificate: Certificate): string => {
  const { digest, facts, run, signature } = certificate
  const { service, suite } = facts
  const { failed, skipped, verdict } = judge(certificate)
  const title = `${service.name} ${service.version}: ${profileOf(certificate)} ${verdict}`
  const facet = (name: string, value: string) => `<dt>${name}</dt>\n<dd>${escaped(value)}</dd>`
  const rows = facts.cases.map((each) => {
    const { durationMs } = run.cases[each.id] ?? {}
    const kind = each.required ? "" : " (optional)"
    const cells = [
      `<td class="${each.verdict}">${each.verdict}${kind}</td>`,
      `<th scope="row"><code>${escaped(each.id)}</code></th>`,
      `<td>${escaped(each.title)}${each.verdict === "passed" ? "" : details(certificate, each)}</td>`,
      `<td>${durationMs === undefined ? "" : `${durationMs} ms`}</td>`,
    ]
    return `<tr>${cells.join("")}</tr>`
  })
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>Of ${facts.cases.length} cases ${failed.length} failed, and ${skipped.length} that are required were skipped.</p>
<dl>
${facet("Checked", `${run.startedAt} at ${run.url}`)}
${facet("Suite", `${suite.name} ${suite.version}`)}
${facet("Claims of the service", service.claims.join(", ") || "none")}
${facet("Digest of the facts", digest)}
${facet("Signed with", signature?.publicKey ?? "nothing")}
</dl>
<table>
<caption>Cases</caption>
<thead>
<tr><th scope="col">Verdict</th><th scope="col">Case</th><th scope="col">Requirement</th><th scope="col">Time</th></tr>
</thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</main>
</body>
</html>
`
}

const colours = { passed: "#2e7d32", failed: "#c62828", incomplete: "#8a6d00" } as const

/** Width of a text in a badge; `textLength` makes the font fit it. */
const widthOf = (text: string): number => text.length * 7 + 12

/** The certificate as a picture of one line: the profile with its version, and the verdict unless it passed. */
export const badgeOf = (certificate: Certificate): string => {
  const { verdict } = judge(certificate)
  const label = "designwire conformance"
  const value = verdict === "passed" ? profileOf(certificate) : `${profileOf(certificate)} ${verdict}`
  const [left, right] = [widthOf(label), widthOf(value)]
  const text = (words: string, from: number, width: number) =>
    `<text x="${from + 6}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`
  const spoken = escaped(`${label}: ${value}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${spoken}">
<title>${spoken}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="${colours[verdict]}"/>
<g fill="#fff" font-family="Verdana, sans-serif" font-size="11">
${text(label, 0, left)}
${text(value, left, right)}
</g>
</svg>
`
}
