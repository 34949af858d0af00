import { connect } from 'node:net'

const MICROS_PER_SECOND = 1_000_000
const ANSWER_WITHIN_MS = 10_000

/** CPU time of the Redis server, from its INFO command. */
export async function redisCpuMicros(url: string): Promise<number> {
  const text = await info(new URL(url), 'cpu')
  const seconds = ['used_cpu_user', 'used_cpu_sys'].map((name) => {
    const found = new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1]
    if (found === undefined) throw new Error(`Redis does not say ${name}`)
    return Number(found)
  })
  return seconds.reduce((sum, one) => sum + one, 0) * MICROS_PER_SECOND
}

export async function redisPid(url: string): Promise<number> {
  const found = /^process_id:(\d+)/m.exec(await info(new URL(url), 'server'))?.[1]
  if (found === undefined) throw new Error('Redis does not say which process it is')
  return Number(found)
}

async function info({ hostname, port }: URL, section: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: hostname, port: Number(port), timeout: ANSWER_WITHIN_MS })
    socket.setEncoding('utf8')
    socket.on('data', (piece) => (text += String(piece)))
    socket.on('close', () => resolve(text))
    socket.on('timeout', () => socket.destroy(new Error('Redis does not say what it used')))
    socket.on('error', reject)
    socket.write(`INFO ${section}\r\nQUIT\r\n`)
  })
}
