// Brings a part of the page up to date with the least change: elements that stay the same are left alone, so that
// focus, selections, open details and what was typed or checked stay as they are.

/** Attributes that a person changes, or that the script sets. */
const kept = new Set(["open", "data-sent", "aria-busy"])

/** What makes an element that element: a row is its first link, a form its action. Empty if only its place does. */
export const keyOf = (element: Element): string => {
  const { localName } = element
  // The property of a form could be its fields with the name "id".
  const id = element.getAttribute("id")
  if (id !== null) return id
  if (localName === "form" || localName === "a")
    return element.getAttribute("action") ?? element.getAttribute("href") ?? ""
  if (localName === "tr" || localName === "li") return element.querySelector("a[href]")?.getAttribute("href") ?? ""
  if (localName === "section")
    return element.getAttribute("aria-labelledby") ?? element.getAttribute("aria-label") ?? ""
  return ""
}

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE

/** Whether one may become the other. */
const isAlike = (shown: Node, current: Node): boolean =>
  shown.nodeName === current.nodeName &&
  (!isElement(shown) ||
    !isElement(current) ||
    (keyOf(shown) === keyOf(current) && shown.getAttribute("class") === current.getAttribute("class")))

const hasFocus = (node: Node): boolean => node.contains(document.activeElement)

/** Whether text of a node is selected. */
const isSelected = (node: Node): boolean => {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(node, true)
}

const changeAttributes = (shown: Element, current: Element): void => {
  for (const { name } of [...shown.attributes]) {
    if (!kept.has(name) && !current.hasAttribute(name)) shown.removeAttribute(name)
  }
  for (const { name, value } of current.attributes) {
    if (!kept.has(name) && shown.getAttribute(name) !== value) shown.setAttribute(name, value)
  }
}

/** Makes a node like the current one. Fields that are in use, and selected text, stay. */
export const change = (shown: Node, current: Node): void => {
  if (shown.isEqualNode(current)) return
  if (!isElement(shown) || !isElement(current)) {
    if (!isSelected(shown)) shown.nodeValue = current.nodeValue
    return
  }
  if (shown === document.activeElement && shown.matches("input, select, textarea")) return
  changeAttributes(shown, current)
  morph(shown, current)
}

/** Makes the children of an element like the children of the current one. */
export const morph = (shown: Element, current: Element): void => {
  let at = shown.firstChild
  for (const node of [...current.childNodes]) {
    let match = at
    while (match !== null && !isAlike(match, node)) match = match.nextSibling
    if (match === null) {
      shown.insertBefore(node, at)
      continue
    }
    // Elements before it are gone, unless they are in use.
    while (at !== null && at !== match) at = leave(at)
    at = match.nextSibling
    change(match, node)
  }
  while (at !== null) at = leave(at)
}

/** Whether a box of a node is checked: somebody has chosen it. */
const isChosen = (node: Node): boolean =>
  isElement(node) && (node.matches("input:checked") || node.querySelector("input:checked") !== null)

/** Selects elements that are not part of the page any more, but were in use when it changed. */
export const outdated = "[data-outdated]"

/** Removes a node unless it has the focus, selected text or a checked box. Returns the one after it. */
export const leave = (node: ChildNode): ChildNode | null => {
  const { nextSibling } = node
  if (!hasFocus(node) && !isSelected(node) && !isChosen(node)) node.remove()
  else if (isElement(node)) node.setAttribute("data-outdated", "")
  return nextSibling
}
