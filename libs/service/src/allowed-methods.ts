export type Route = { method: string; url: string }

/** Methods under which a path exists; empty when the path does not exist. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const found = routes.filter(({ url }) => matches(url, path)).map(({ method }) => method)
  return [...new Set(found)].toSorted()
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, n) => part.startsWith(':') || part === given[n])
}
