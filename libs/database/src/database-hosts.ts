const ATTRIBUTES = 'target_session_attrs'
/** PostgreSQL knows more; a pool that writes can only use these. */
const WRITABLE = new Set(['read-write', 'primary'])

/**
 * The addresses in libpq's form for several servers, `postgres://user:password@host1:5432,host2:5432/database`, one URL each;
 * one server is one URL. `target_session_attrs` may name what several servers mean here anyway: the primary.
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
  const wanted = settings.get(ATTRIBUTES) ?? 'primary'
  if (!WRITABLE.has(wanted)) throw new Error(`DATABASE_URL: ${ATTRIBUTES} must be read-write or primary`)
  settings.delete(ATTRIBUTES)
  const rest = settings.size === 0 ? path : `${path}?${settings.toString()}`
  return hosts.map((host) => `${url.slice(0, at)}${host.trim()}${rest}`)
}
