/** Limits of what the cases read, so that a service or driver that never ends can't fill the memory. */

/** The most bytes of one body or line that are read. The longest answer that the requirements allow has 8 MiB (D46). */
export const maximumRead = 32 * 1024 * 1024

export const tooLong = (what: string): string => `${what} is longer than ${maximumRead / 1024 / 1024} MiB`

/** The body of a response as text. Rejects if it is too long. */
export const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let [text, read] = ["", 0]
  for await (const bytes of response.body ?? []) {
    read += bytes.byteLength
    if (read > maximumRead) throw new Error(tooLong("the body"))
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}
