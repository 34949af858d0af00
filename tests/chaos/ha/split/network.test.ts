import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { openNetwork, whyNoNamespaces } from './network.ts'

const NETWORK = join(import.meta.dirname, 'network.ts')
const listed = () => spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout
const PORT = 7_007
const LISTEN = `require('node:net').createServer((socket) => socket.end()).listen(${PORT}, () => console.log('up'))`

async function isReached(address: string): Promise<boolean> {
  const socket = connect({ host: address, port: PORT, timeout: 1_000 })
  try {
    return await new Promise((resolve) => {
      socket.on('connect', () => resolve(true))
      socket.on('timeout', () => resolve(false))
      socket.on('error', () => resolve(false))
    })
  } finally {
    socket.destroy()
  }
}

test.skipIf(whyNoNamespaces() !== undefined)(
  'a place that is cut off cannot be reached until it is healed; the next network removes what a killed process left',
  { timeout: 120_000 },
  async () => {
    const script = `const { openNetwork } = await import(${JSON.stringify(NETWORK)}); openNetwork().add('left'); process.stdout.write('up'); setInterval(() => {}, 1000)`
    const killed = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(killed.stdout, 'data')
    expect(listed()).toContain('-left')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const network = openNetwork()
    try {
      expect(listed()).not.toContain('-left')
      const place = network.add('one')
      const { command, args } = place.wrap(process.execPath, ['-e', LISTEN])
      const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(server.stdout, 'data')
      await waitUntil('it is reached', () => isReached(place.address))
      place.cut()
      expect(await isReached(place.address)).toBe(false)
      place.heal()
      await waitUntil('it is reached again', () => isReached(place.address))
    } finally {
      network.remove()
    }
    expect(listed()).not.toContain('-one')
  },
)
