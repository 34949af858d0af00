type Parts = { before: string; hosts: string; after: string }

/** The servers of a DATABASE_URL: one, or several in libpq's form, `postgres://user:password@host1:5432,host2:5432`. */
export function hostsOf(databaseUrl: string): string[] {
  return partsOf(databaseUrl)
    .hosts.split(',')
    .map((host) => host.trim())
}

/** The same address at other servers: one of several is an ordinary URL. */
export function withHosts(databaseUrl: string, hosts: string): string {
  const { before, after } = partsOf(databaseUrl)
  return `${before}${hosts}${after}`
}

/** The address of a database of the same servers, as the same user. */
export function withDatabase(databaseUrl: string, name: string): string {
  const hosts = hostsOf(databaseUrl)
  const url = new URL(withHosts(databaseUrl, hosts[0] ?? ''))
  url.pathname = `/${name}`
  return withHosts(url.href, hosts.join(','))
}

function partsOf(url: string): Parts {
  const from = url.indexOf('://') + '://'.length
  const length = url.slice(from).search(/[/?]/)
  const to = length === -1 ? url.length : from + length
  const at = url.slice(from, to).lastIndexOf('@') + 1
  return { before: url.slice(0, from + at), hosts: url.slice(from + at, to), after: url.slice(to) }
}
