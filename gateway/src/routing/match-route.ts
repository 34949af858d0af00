import type { Route } from './route.ts'

/** Alternative spellings of a path, such as encoded letters; a URL that contains one matches no route. */
const AMBIGUOUS = /\/\.{0,2}\/|\/\.{1,2}$|[\\#]|%(00|2[5def]|3\d|[46][1-9a-f]|[57][0-9a]|5[cf]|7e)|[^\x21-\x7e]/i

export type Match<T extends { pattern: string }> = (path: string) => T | undefined

/** Finds the first pattern that matches a path: exact ones by one look-up, the others in order. */
export function createMatch<T extends { pattern: string }>(routes: readonly T[]): Match<T> {
  const exact = new Map<string, T>()
  const open: { prefix: string; route: T }[] = []
  for (const route of routes) {
    const { pattern } = route
    if (pattern.endsWith('*')) open.push({ prefix: pattern.slice(0, -1), route })
    else if (!open.some(({ prefix }) => pattern.startsWith(prefix))) exact.set(pattern, route)
    else throw new Error(`${pattern} is listed after a pattern that already covers it`)
  }
  return (path) => {
    const found = exact.get(path)
    if (found !== undefined) return found
    if (AMBIGUOUS.test(path)) return undefined
    for (const { prefix, route } of open) if (path.length > prefix.length && path.startsWith(prefix)) return route
    return undefined
  }
}

export type MatchRoute = Match<Route>
