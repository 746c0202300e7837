/** The body of a page from a server on this machine. */
export const fetchPage = async (port: number, token: string, path: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
  return body
}
