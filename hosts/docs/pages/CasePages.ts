/** The cases of the conformance suites, a page for each suite. */
import { allCases, type CaseFacts } from "../../../conformance/suites/cases.ts"
import { addressOf, type Page } from "./Page.ts"
import { requirementAddress } from "./RequirementAddress.ts"

const pathOf = (suite: string): string => `conformance/cases/${suite}`

/** The address of a case. */
export const caseAddress = (suite: string, id: string): string => `${addressOf(pathOf(suite))}#${id}`

/** The programs that each suite checks. */
const subjects: Readonly<Record<string, string>> = {
  storage: "storage adapters",
  sender: "senders of webhooks",
  service: "services, seen over HTTP",
  receiver: "receivers of webhooks, seen over HTTP",
  vectors: "ports of the evaluation and the signature",
}

const row = ({ id, requirements, title }: CaseFacts): string => {
  const links = requirements.map((requirement) => {
    const address = requirementAddress(requirement)
    return address === undefined ? requirement : `[${requirement}](${address})`
  })
  return `- <a id="${id}"></a>\`${id}\`: ${title}${links.length === 0 ? "" : ` — ${links.join(", ")}`}\n`
}

const page = ([suite, cases]: readonly [string, ReadonlyArray<CaseFacts>]): Page => {
  const groups = Map.groupBy(cases, ({ id }) => id.split(".")[0] ?? id)
  const description = `The ${cases.length} cases of the conformance suite for ${subjects[suite] ?? suite}.`
  const sections = [...groups].map(([name, members]) => `## ${name}\n\n${members.map(row).join("")}`)
  return {
    path: pathOf(suite),
    title: `Cases: ${suite}`,
    description,
    body: `${description} Each names the requirements that it holds.\n\n${sections.join("\n")}`,
    group: "Requirements",
  }
}

/** A page for each suite. */
export const casePages = (): ReadonlyArray<Page> => Object.entries(allCases).map(page)
