const open: HTMLElement[] = []
const listeners = new Set<() => void>()

/** The modal dialogs that are open, the top one last. All outside the top one is inert, so messages must be inside. */
export function openLayer(element: HTMLElement): () => void {
  open.push(element)
  tell()
  return () => {
    open.splice(open.indexOf(element), 1)
    tell()
  }
}

export function topLayer(): HTMLElement | undefined {
  return open.at(-1)
}

export function subscribeLayers(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
