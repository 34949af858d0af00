type Attributes = Record<string, string | number | undefined>

/** An element with its attributes and children; strings are inserted as text, never as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, String(value))
  }
  element.append(...content)
  return element
}

/** Elements marked with `data-part`. */
export function partOf(root: ParentNode, name: string): HTMLElement | undefined {
  return root.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? undefined
}

/** Sets the text of a part, if the page has it. */
export function setText(root: ParentNode, name: string, text: string): void {
  const part = partOf(root, name)
  if (part !== undefined && part.textContent !== text) part.textContent = text
}
