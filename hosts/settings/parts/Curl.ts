/** The headers of a request, in their order. */
export type SentHeaders = Readonly<Record<string, string>>

/** The command reads a body with more characters from a file. */
const maximumInlineBody = 2 * 1024

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

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
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${body.length > maximumInlineBody ? quoted(`@${file}`) : quoted(body)}`,
  ].join(" \\\n  ")
