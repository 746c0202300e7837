const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Bytes as a number in base62, padded with zeros to a width. */
export const base62 = (bytes: Uint8Array, width: number): string => {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  let text = ""
  while (number > 0n) {
    text = alphabet[Number(number % 62n)] + text
    number /= 62n
  }
  return text.padStart(width, "0")
}
