import type { SentinelAddress } from '@tapeline/service/redis-nodes'
import { openSocket, type ServerAddress } from './redis-server.ts'
import { encodeCommand, RedisError, type Reply, RespReader } from './resp.ts'

const ANSWER_TIMEOUT_MS = 1_000
const WATCH_EVERY_MS = 1_000

/**
 * The master that most of the answering Sentinels name: a partitioned Sentinel still names the old master.
 * @throws Error when none answers
 */
export async function findMaster(address: SentinelAddress): Promise<ServerAddress> {
  const answers = await Promise.allSettled(address.sentinels.map((sentinel) => querySentinel(sentinel, address)))
  const named = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const votes = [...Map.groupBy(named, ({ host, port }) => `${host} ${port}`).values()]
  const [most] = votes.toSorted((one, other) => other.length - one.length)
  const [master] = most ?? []
  if (master === undefined) {
    throw new Error(`no Sentinel names the master ${address.master}`, { cause: reasonsOf(answers) })
  }
  return master
}

/** Calls `onMaster` every second with the current master, while a Sentinel answers. */
export function watchMaster(address: SentinelAddress, onMaster: (master: ServerAddress) => void): NodeJS.Timeout {
  const timer = setInterval(() => void findMaster(address).then(onMaster, () => undefined), WATCH_EVERY_MS)
  return timer.unref()
}

/**
 * Sentinels name a new master shortly before its promotion is complete.
 * @throws Error for the `INFO replication` of any other server
 */
export function checkMaster(info: unknown): void {
  if (typeof info !== 'string' || !info.includes('role:master'))
    throw new Error('the server that the Sentinels name is not a master')
}

async function querySentinel(sentinel: ServerAddress, address: SentinelAddress): Promise<ServerAddress> {
  const { master, sentinelPassword, isEncrypted } = address
  const greeting = sentinelPassword === '' ? [] : [['AUTH', sentinelPassword]]
  const commands = [...greeting, ['SENTINEL', 'get-master-addr-by-name', master]]
  const replies = await new Promise<Reply[]>((resolve, reject) => {
    const received: Reply[] = []
    const reader = new RespReader((reply) => {
      received.push(reply)
      if (received.length < commands.length) return
      resolve(received)
      socket.destroy()
    })
    const socket = openSocket(sentinel, isEncrypted, reader)
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('the Sentinel did not answer in time')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the Sentinel closed the connection')))
    socket.write(commands.map(encodeCommand).join(''))
  })
  return addressIn(replies, master)
}

function addressIn(replies: Reply[], master: string): ServerAddress {
  const error = replies.find((reply) => reply instanceof RedisError)
  if (error !== undefined) throw error
  const answer = replies.at(-1)
  const [host, port] = Array.isArray(answer) ? answer : []
  if (typeof host !== 'string') throw new Error(`the Sentinel has no master named ${master}`)
  return { host, port: Number(port) }
}

function reasonsOf(answers: PromiseSettledResult<unknown>[]): string {
  return answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason) : '')).join('; ')
}
