/** Addresses of the Sentinels and their name for the master; user and password are those of Redis itself. */
export type SentinelAddress = {
  sentinels: { host: string; port: number }[]
  master: string
  username: string
  password: string
  /** Empty: the Sentinels require none. */
  sentinelPassword: string
  isEncrypted: boolean
}

const SENTINEL_PORT = 26_379
const SENTINEL =
  /^redis(s?)\+sentinel:\/\/(?:([^:@/]*):([^:@/]+)@)?([^@/?]+)\/([^/?]+)(?:\?sentinel_password=([^&?]+))?$/

/** Addresses of a cluster's seed nodes; undefined when `url` is a single server or names sentinels. */
export function clusterNodesOf(url: string): URL[] | undefined {
  if (isSentinel(url)) return undefined
  const nodes = url.split(',').map((one) => one.trim())
  if (nodes.length === 1 && !/[?&]cluster=true(&|$)/.test(url)) return undefined
  return nodes.filter((one) => one !== '').map((one) => new URL(one))
}

/**
 * Parses `redis+sentinel://[user:password@]host[:port],…/<master>[?sentinel_password=…]` (`rediss+sentinel://` for TLS to
 * sentinels and servers); undefined for other schemes.
 * @throws Error for a sentinel address of any other form
 */
export function sentinelsOf(url: string): SentinelAddress | undefined {
  if (!isSentinel(url)) return undefined
  const found = SENTINEL.exec(url)
  if (found === null)
    throw new Error('REDIS_URL of Sentinels must have the form redis+sentinel://[user:password@]host:port,…/master')
  const [, tls, username = '', password = '', hosts = '', master = '', sentinelPassword = ''] = found
  return {
    sentinels: hosts.split(',').map(hostAndPort),
    master: decodeURIComponent(master),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    sentinelPassword: decodeURIComponent(sentinelPassword),
    isEncrypted: tls === 's',
  }
}

function isSentinel(url: string): boolean {
  return /^rediss?\+sentinel:/.test(url)
}

function hostAndPort(text: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${text.trim()}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? SENTINEL_PORT : Number(port) }
}
