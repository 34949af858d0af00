import { createObservable } from '../observable.ts'

const { get, set, subscribe } = createObservable<readonly HTMLElement[]>([])

/** The modal dialogs that are open, the top one last. All outside the top one is inert, so messages must be inside. */
export function openLayer(element: HTMLElement): () => void {
  set([...get(), element])
  return () => set(get().filter((open) => open !== element))
}

export function topLayer(): HTMLElement | undefined {
  return get().at(-1)
}

export const subscribeLayers = subscribe
