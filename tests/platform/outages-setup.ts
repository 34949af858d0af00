import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import type { TestProject } from 'vitest/node'
import { describePlatform, LONG_REPLY_TIMEOUT, PATIENT_IDENTITY, THROTTLES } from './start-shared-platform.ts'

const THROTTLED = 'gateway-2'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which a test file requests to kill or restart a process. */
    outagesUrl: string
  }
}

let platform: TestPlatform | undefined
let controlServer: Server | undefined

/** One platform for all files that stop a part of it, one after the other. */
export async function setup(project: TestProject): Promise<void> {
  platform = await startTestPlatform({
    gateways: 2,
    isRestarting: false,
    servers: process.env,
    env: {
      gateway: LONG_REPLY_TIMEOUT,
      identity: PATIENT_IDENTITY,
      'market-data': { SIMULATOR_HISTORY_HOURS: '1' },
      [THROTTLED]: THROTTLES,
    },
  })
  controlServer = await listen(platform)
  const { port } = controlServer.address() as AddressInfo
  project.provide('platform', describePlatform(platform, THROTTLED))
  project.provide('outagesUrl', `http://127.0.0.1:${port}`)
}

export async function teardown(): Promise<void> {
  controlServer?.close()
  await platform?.stop()
}

/** `POST /kill/<process>` and `POST /restart/<process>`: answered when it is done. */
async function listen({ kill, restart }: TestPlatform): Promise<Server> {
  const server = createServer((request, response) => {
    const [, what, name = ''] = request.url?.split('/') ?? []
    const work = what === 'kill' ? kill(name) : restart(name)
    work.then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
