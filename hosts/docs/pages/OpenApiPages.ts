/** The two HTTP APIs, from their OpenAPI documents: a page for each tag, and one for the schemas. */
import { type ApiName, documents } from "../../../conformance/checks/openapi/Documents.ts"
import {
  type Document,
  jsonOf,
  type Operation,
  operationsOf,
  parametersOf,
  responsesOf,
} from "../../../conformance/checks/openapi/Operations.ts"
import { type AddressOfSchema, aboutOf, type JsonSchema, nameOf, schemaTable, typeOf } from "./JsonSchema.ts"
import { firstParagraph, headingWithId } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"
import { tableOf } from "./tableOf.ts"

interface Info {
  readonly title: string
  readonly version: string
  readonly description: string
}

interface Tag {
  readonly name: string
  readonly description: string
}

type Described = Readonly<Record<string, unknown>>

const infoOf = (document: Document) => document["info"] as unknown as Info

const tagsOf = (document: Document) => document["tags"] as unknown as ReadonlyArray<Tag>

const schemasOf = (document: Document) => document.components["schemas"] as Readonly<Record<string, JsonSchema>>

const pathOf = (api: ApiName): string => `openapi/${api}`

const tagPath = (api: ApiName, { name }: Tag): string => `${pathOf(api)}/${name.toLowerCase().replaceAll(" ", "-")}`

/** The address of a named schema of an API. */
const schemaAddress =
  (api: ApiName): AddressOfSchema =>
  (name) =>
    `${addressOf(`${pathOf(api)}/schemas`)}#${name.toLowerCase()}`

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``

const text = (described: Described, key: string): string => String(described[key] ?? "")

const parameterRow = (parameter: Described, address: AddressOfSchema): ReadonlyArray<string> => {
  const schema = (parameter["schema"] ?? {}) as JsonSchema
  const name = `\`${text(parameter, "name")}\`${parameter["required"] === true ? "" : " (optional)"}`
  const about = [text(parameter, "description"), aboutOf(schema)].filter(Boolean).join(" ")
  return [name, text(parameter, "in"), typeOf(schema, address), about]
}

const parameterTable = (operation: Operation, address: AddressOfSchema): string => {
  const rows = parametersOf(operation).map((parameter) => parameterRow(parameter, address))
  return rows.length === 0 ? "" : tableOf(["parameter", "in", "type", "about"], rows)
}

/** The schema of a body and its example. A schema without a name has its fields here. */
const bodyText = (media: Described, address: AddressOfSchema): ReadonlyArray<string> => {
  const schema = (media["schema"] ?? {}) as JsonSchema
  const fields = schema.properties === undefined ? "" : schemaTable(schema, address)
  const example = media["example"] === undefined ? "" : json(media["example"])
  return [fields, example].filter(Boolean)
}

const requestText = ({ spec }: Operation, address: AddressOfSchema): ReadonlyArray<string> => {
  const media = jsonOf((spec["requestBody"] ?? {}) as Parameters<typeof jsonOf>[0])
  if (media === undefined) return []
  const schema = (media["schema"] ?? {}) as JsonSchema
  return [`Body, JSON: ${typeOf(schema, address)}.`, ...bodyText(media, address)]
}

type Response = readonly [status: string, response: Parameters<typeof jsonOf>[0]]

const responseLine = ([status, response]: Response, address: AddressOfSchema): string => {
  const { $ref } = (jsonOf(response)?.["schema"] ?? {}) as JsonSchema
  const words = text(response, "description").replaceAll(" | ", "; ")
  const named = $ref === undefined ? "" : `: [${nameOf($ref)}](${address(nameOf($ref))})`
  return `**${status}** ${words === nameOf($ref ?? "") ? "Success" : words}${named}`
}

const isError = ([status]: Response): boolean => Number(status) >= 400

/** Successes with their bodies, then the errors, which all have the same body. */
const responsesText = (responses: ReadonlyArray<Response>, address: AddressOfSchema): ReadonlyArray<string> => [
  ...responses
    .filter((one) => !isError(one))
    .flatMap((one) => {
      const media = jsonOf(one[1])
      return [responseLine(one, address), ...(media === undefined ? [] : bodyText(media, address))]
    }),
  responses
    .filter(isError)
    .map((one) => `- ${responseLine(one, address)}\n`)
    .join(""),
]

const operationText = (document: Document, operation: Operation, address: AddressOfSchema): string => {
  const { id, method, path, spec } = operation
  const responses = Object.entries(responsesOf(document, operation))
  return [
    headingWithId(id, `## ${text(spec, "summary")}`),
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    text(spec, "description"),
    parameterTable(operation, address),
    ...requestText(operation, address),
    ...responsesText(responses, address),
  ]
    .filter(Boolean)
    .join("\n\n")
}

const operationsWith = (document: Document, { name }: Tag): ReadonlyArray<Operation> =>
  operationsOf(document).filter(({ spec }) => (spec["tags"] as unknown as ReadonlyArray<string>).includes(name))

const operationList = (api: ApiName, document: Document, tag: Tag): string => {
  const address = addressOf(tagPath(api, tag))
  const rows = operationsWith(document, tag).map(
    ({ id, method, path, spec }) => `- [${text(spec, "summary")}](${address}#${id}): \`${method} ${path}\`\n`,
  )
  return `## ${tag.name}\n\n${tag.description}\n\n${rows.join("")}`
}

const securityText = (document: Document): string =>
  Object.values(document.components["securitySchemes"] ?? {})
    .map((scheme) => `\`Authorization: Bearer …\`: ${text(scheme, "description")}.`)
    .join("\n\n")

const pagesOf = ([api, document]: readonly [ApiName, Document]): ReadonlyArray<Page> => {
  const { description, title, version } = infoOf(document)
  const address = schemaAddress(api)
  const short = title.replace(/^Designwire m/, "M").replace(/^Designwire /, "")
  const schemas = Object.entries(schemasOf(document)).map(
    ([name, schema]) => `${headingWithId(name.toLowerCase(), `## ${name}`)}\n\n${schemaTable(schema, address)}`,
  )
  const index: Page = {
    path: pathOf(api),
    title,
    description: firstParagraph(description),
    body: [
      description,
      `Version ${version}. The whole document is [openapi.json](/openapi/${api}.json).`,
      securityText(document),
      ...tagsOf(document).map((tag) => operationList(api, document, tag)),
      `## Schemas\n\n[All schemas](${addressOf(`${pathOf(api)}/schemas`)}).`,
    ].join("\n\n"),
    group: "HTTP APIs and events",
  }
  const tags = tagsOf(document).map(
    (tag): Page => ({
      path: tagPath(api, tag),
      title: `${short}: ${tag.name}`,
      description: tag.description,
      body: `${tag.description}\n\n${operationsWith(document, tag)
        .map((operation) => operationText(document, operation, address))
        .join("\n\n")}`,
    }),
  )
  const all: Page = {
    path: `${pathOf(api)}/schemas`,
    title: `${short}: schemas`,
    description: `The schemas of the ${title}.`,
    body: schemas.join("\n\n"),
  }
  return [index, ...tags, all]
}

const apis = Object.entries(documents) as unknown as ReadonlyArray<readonly [ApiName, Document]>

/** The pages of both APIs. */
export const openApiPages = (): ReadonlyArray<Page> => apis.flatMap(pagesOf)

/** The documents themselves, by their addresses. */
export const openApiFiles = (): ReadonlyArray<readonly [string, string]> =>
  apis.map(([api, document]) => [`/openapi/${api}.json`, `${JSON.stringify(document, undefined, 2)}\n`])
