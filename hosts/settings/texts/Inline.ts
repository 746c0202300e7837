/** An element that a page puts into a text, such as a link or a time; or a text with such elements in it. */
export type Inline = object | string | false
