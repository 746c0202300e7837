/** Commands that people copy into a shell. Everything in them that is not ours is one word of it, whatever it has. */

/** The headers of a request, in their order. */
export type SentHeaders = Readonly<Record<string, string>>

/** The command reads a body with more characters from a file. */
const maximumInlineBody = 2 * 1024

/** A text as one word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A URL as a word. curl would take brackets and braces in it for a list of URLs. */
const urlWord = (url: string): string => (/[[\]{}]/.test(url) ? "--globoff " : "") + shellWord(url)

/** A command that reads a URL of the REST API with a token. */
export const curlWith = (token: string, url: string): string =>
  `curl -H ${shellWord(`Authorization: Bearer ${token}`)} ${urlWord(url)}`

/** A command that sends a request. `file` is the name under which the body is downloaded. */
export const curlOf = ({
  body,
  file,
  headers,
  url,
}: {
  readonly url: string
  readonly headers: SentHeaders
  readonly body: string
  readonly file: string
}): string =>
  [
    `curl -X POST ${urlWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    `--data-binary ${shellWord(body.length > maximumInlineBody ? `@${file}` : body)}`,
  ].join(" \\\n  ")
