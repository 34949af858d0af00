const ATTRIBUTES = 'target_session_attrs'
/** PostgreSQL has more values; a pool that writes can only use these. */
const WRITABLE = new Set(['read-write', 'primary'])

/**
 * Splits libpq's URL of several servers, `postgres://user:password@host1:5432,host2:5432/database`, into one URL per server.
 * `target_session_attrs` may only request the primary, which is the one used in any case.
 * @throws Error for any other `target_session_attrs`
 */
export function splitHosts(url: string): string[] {
  const from = url.indexOf('://') + '://'.length
  const length = url.slice(from).search(/[/?]/)
  const to = length === -1 ? url.length : from + length
  const at = from + url.slice(from, to).lastIndexOf('@') + 1
  const hosts = url.slice(at, to).split(',')
  if (hosts.length === 1) return [url]
  const [path = '', query = ''] = url.slice(to).split('?', 2)
  const settings = new URLSearchParams(query)
  const target = settings.get(ATTRIBUTES) ?? 'primary'
  if (!WRITABLE.has(target)) throw new Error(`DATABASE_URL: ${ATTRIBUTES} must be read-write or primary`)
  settings.delete(ATTRIBUTES)
  const suffix = settings.size === 0 ? path : `${path}?${settings.toString()}`
  return hosts.map((host) => `${url.slice(0, at)}${host.trim()}${suffix}`)
}
