const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * A text of others as it may be printed in one line: control characters, separators of lines and characters that change
 * the direction of text are written as escapes. With them it could rewrite a terminal, or pass for another line.
 */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escaped)

/** The same for a text of several lines, whose line feeds and tabs stay. */
export const printableLines = (text: string): string =>
  text.replace(/[\p{Bidi_Control}\u2028\u2029]|(?![\t\n])\p{Cc}/gu, escaped)
