export type Island = { start: (root: HTMLElement) => void }

const islands = import.meta.glob<Island>('../islands/*.ts')

/** Starts the islands of this page; an island that fails to load stays as rendered. */
export function startIslands(): void {
  for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const load = islands[`../islands/${root.dataset['island'] ?? ''}.ts`]
    void load?.().then(
      ({ start }) => start(root),
      () => undefined,
    )
  }
}
