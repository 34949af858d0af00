import { createObservable } from '../observable.ts'

const { get, set, subscribe } = createObservable<readonly HTMLElement[]>([])

/** Open modal dialogs, the top one last. Everything outside the top one is inert, so messages must be inside it. */
export function openLayer(element: HTMLElement): () => void {
  set([...get(), element])
  return () => set(get().filter((open) => open !== element))
}

export function topLayer(): HTMLElement | undefined {
  return get().at(-1)
}

export const subscribeLayers = subscribe
