type Page<T> = { data: readonly T[]; next_cursor: string | null }

/** `isCut`: the list has more entries than the pages that were read. */
export type Followed<T> = { entries: T[]; isCut: boolean }

/** Reads a list page by page to its end, but at most this many pages. */
export async function followCursor<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
  pagesMax: number,
): Promise<Followed<T>> {
  const entries: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const { data, next_cursor: next } = await readPage(cursor)
    entries.push(...data)
    if (next === null) return { entries, isCut: false }
    cursor = next
  }
  return { entries, isCut: true }
}
