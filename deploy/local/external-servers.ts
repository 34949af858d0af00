import { connect } from 'node:net'
import { sentinelsOf } from '@tapeline/service/redis-nodes'
import { hostsOf, withHosts } from './servers/database-address.ts'
import { withServer } from './database-queries.ts'
import { StartProblem } from './start-problem.ts'

const CONNECT_TIMEOUT_MS = 3_000

/** Checks whether the servers in DATABASE_URL, REDIS_URL and KAFKA_BROKERS answer. */
export async function checkExternalServers(env: NodeJS.ProcessEnv): Promise<StartProblem[]> {
  const problems = await Promise.all([
    checkDatabase(env.DATABASE_URL),
    checkRedis(env.REDIS_URL),
    checkKafka(env.KAFKA_BROKERS),
  ])
  return problems.filter((problem) => problem !== undefined)
}

async function checkDatabase(url: string | undefined): Promise<StartProblem | undefined> {
  if (url === undefined || url === '') return undefined
  const hosts = hostsOf(url)
  if (hosts.some((host) => parseUrl(withHosts(url, host)) === undefined))
    return unset('DATABASE_URL', 'is not a valid address (postgres://user:password@host:port, or host:port,host:port).')
  try {
    await withServer(url, async () => undefined)
    return undefined
  } catch (error) {
    return unset(
      'DATABASE_URL',
      `PostgreSQL at ${hosts.join(', ')} rejects the connection: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

async function checkRedis(url: string | undefined): Promise<StartProblem | undefined> {
  if (url === undefined || url === '') return undefined
  const servers = redisServersOf(url)
  if (servers === undefined)
    return unset(
      'REDIS_URL',
      'is not a valid address (redis://host:port, several of a cluster, or redis+sentinel://…/master).',
    )
  const open = await Promise.all(servers.map(({ host, port }) => isOpen(host, port)))
  const names = servers.map(({ host, port }) => `${host}:${port}`).join(', ')
  return open.includes(true) ? undefined : unset('REDIS_URL', `no response from ${names}.`)
}

/** Addresses of Sentinels, of the nodes of a cluster, or of one server. */
function redisServersOf(url: string): { host: string; port: number }[] | undefined {
  try {
    const sentinels = sentinelsOf(url)?.sentinels
    if (sentinels !== undefined) return sentinels
  } catch {
    return undefined
  }
  const nodes = url.split(',').map((node) => parseUrl(node.trim()))
  const parsed = nodes.filter((node) => node !== undefined)
  if (parsed.length < nodes.length) return undefined
  return parsed.map(({ hostname, port }) => ({ host: hostname, port: Number(port || 6379) }))
}

async function checkKafka(brokers: string | undefined): Promise<StartProblem | undefined> {
  if (brokers === undefined || brokers === '') return undefined
  const open = await Promise.all(
    brokers.split(',').map(async (broker) => {
      const [host = '', port = '9092'] = broker.trim().split(':')
      return isOpen(host, Number(port))
    }),
  )
  return open.includes(true) ? undefined : unset('KAFKA_BROKERS', `no broker answers at ${brokers}.`)
}

function unset(variable: string, what: string): StartProblem {
  return new StartProblem(`${variable}: ${what}`, `Correct it, or unset ${variable} to start a local server.`)
}

async function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
