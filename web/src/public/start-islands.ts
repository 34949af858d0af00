export type Island = { start: (root: HTMLElement) => void }

const islands = import.meta.glob<Island>('../islands/*.ts')

/** Wakes the interactive parts that this page has; what cannot be loaded stays as it was rendered. */
export function startIslands(): void {
  for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const load = islands[`../islands/${root.dataset['island'] ?? ''}.ts`]
    void load?.().then(
      ({ start }) => start(root),
      () => undefined,
    )
  }
}
