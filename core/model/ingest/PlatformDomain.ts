/** The most characters of a domain. */
const longest = 255

/**
 * The domain of a shop on its platform in one form, from a domain or an address: `acme.myshopify.com`, and
 * `acme.example.com/store` of `https://Acme.example.com/store/`. `undefined` if the text is neither.
 */
export const platformDomain = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed.length > longest + 10) return undefined
  const isAddress = /^https?:\/\//i.test(trimmed)
  if (!isAddress && trimmed.includes("://")) return undefined
  const url = URL.parse(isAddress ? trimmed : `https://${trimmed}`)
  if (url === null || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return undefined
  if (/[\s\\?#@]/.test(trimmed) || !/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/.test(url.hostname)) {
    return undefined
  }
  const domain = url.host + url.pathname.replace(/\/+$/, "")
  return domain.length <= longest ? domain : undefined
}
