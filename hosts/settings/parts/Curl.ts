/** Headers of a request, in their order. */
export type SentHeaders = Readonly<Record<string, string>>

/** A longer body is taken from its file. */
const inlineBody = 2 * 1024

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A command that sends a request. `file` is the name of the body as it is downloaded. */
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
    `--data-binary ${body.length > inlineBody ? quoted(`@${file}`) : quoted(body)}`,
  ].join(" \\\n  ")
