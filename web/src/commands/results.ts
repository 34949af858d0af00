import { match } from './match.ts'

/** A page to open or an action to run. */
export type Entry = {
  id: string
  group: 'recent' | 'actions' | 'pages' | 'keys' | 'docs'
  label: string
  /** Shown next to the label. */
  note?: string | undefined
  /** Additional search terms. */
  words?: string | undefined
  keys?: string | undefined
}

export type Result<E extends Entry> = { entry: E; marks: [number, number][] }
export type ResultGroup<E extends Entry> = { group: Entry['group']; results: Result<E>[] }

const ORDER: readonly Entry['group'][] = ['recent', 'actions', 'keys', 'pages', 'docs']
const PER_GROUP_MAX = 6
/** Without a query: recently used commands, then actions and pages. */
const AT_FIRST: readonly Entry['group'][] = ['actions', 'pages']

/** Matches of a query in groups, best first, both within and among groups. */
export function findEntries<E extends Entry>(
  entries: readonly E[],
  query: string,
  recent: readonly string[],
): ResultGroup<E>[] {
  if (query.trim() === '') return firstEntries(entries, recent)
  const found = entries.flatMap((entry) => {
    const fit = match(query, entry.label, `${entry.words ?? ''} ${entry.note ?? ''}`)
    // Among equal matches, recently used ones are first.
    const bonus = recent.includes(entry.id) ? RECENT_BONUS : 0
    return fit === undefined ? [] : [{ entry, marks: fit.marks, score: fit.score + bonus }]
  })
  const groups = ORDER.map((group) => ({
    group,
    results: found
      .filter(({ entry }) => entry.group === group)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, PER_GROUP_MAX),
  }))
  return groups
    .filter(({ results }) => results.length > 0)
    .toSorted((one, other) => (other.results[0]?.score ?? 0) - (one.results[0]?.score ?? 0))
}

const RECENT_BONUS = 0.25

function firstEntries<E extends Entry>(entries: readonly E[], recent: readonly string[]): ResultGroup<E>[] {
  const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
  const groups = AT_FIRST.map((group) => ({
    group,
    results: entries.filter((entry) => entry.group === group && !used.includes(entry)).map(unmarked),
  }))
  return [{ group: 'recent' as const, results: used.map(unmarked) }, ...groups].filter(
    ({ results }) => results.length > 0,
  )
}

function unmarked<E extends Entry>(entry: E): Result<E> {
  return { entry, marks: [] }
}
