import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { connectRedis } from './redis.ts'

const CHANNEL = '+switch-master'
const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`
const array = (...parts: string[]) => `*${parts.length}\r\n${parts.join('')}`

/** Answers each command of a client; commands are arrays of bulk strings. */
async function listen(answer: (words: string[], socket: Socket) => string | undefined): Promise<[Server, number]> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const command of String(chunk)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const words = command.split('\r\n').filter((_line, n) => n % 2 === 1)
        const reply = answer(
          words.map((word) => word.toLowerCase()),
          socket,
        )
        if (reply !== undefined) socket.write(reply)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return [server, typeof address === 'object' && address !== null ? address.port : 0]
}

test('a failover that is announced while a client queries the master does not disconnect the client', async () => {
  const connections: Socket[] = []
  const listeners: Socket[] = []
  let announcedBefore = 0
  const [master, masterPort] = await listen(([name = ''], socket) => {
    if (!connections.includes(socket)) connections.push(socket)
    if (name === 'hello') return '-ERR unknown command HELLO\r\n'
    return name === 'info' ? bulk('role:master') : '+OK\r\n'
  })
  const [sentinel, sentinelPort] = await listen(([name = '', call = ''], socket) => {
    if (name === 'hello') return '-ERR unknown command HELLO\r\n'
    if (name === 'subscribe') {
      listeners.push(socket)
      return array(bulk('subscribe'), bulk(CHANNEL), ':1\r\n')
    }
    if (call === 'sentinels') return array()
    if (call !== 'get-master-addr-by-name') return '+OK\r\n'
    for (const one of listeners.splice(0)) {
      one.write(array(bulk('message'), bulk(CHANNEL), bulk('another')))
      announcedBefore += 1
    }
    // After the announcement, which arrives on another connection.
    setTimeout(() => socket.write(array(bulk('127.0.0.1'), bulk(String(masterPort)))), announcedBefore > 0 ? 300 : 0)
    return undefined
  })
  const url = `redis+sentinel://127.0.0.1:${sentinelPort}/tapeline`
  const redis = connectRedis({ url, logger: silentLogger, commandTimeoutMs: 1_000 })
  try {
    await waitUntil('it listens for failovers', () => redis.status === 'ready' && listeners.length === 1)
    connections.at(-1)?.destroy()
    await waitUntil('it is connected again', () => connections.length === 2 && redis.status === 'ready')
    expect(announcedBefore).toBe(1)
  } finally {
    redis.disconnect()
    master.close()
    sentinel.close()
  }
})
