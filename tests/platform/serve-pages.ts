import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isPortFree } from '../../deploy/local/ports/free-port.ts'
import { buildWeb } from '../../deploy/local/web/web-build.ts'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { SharedPlatform } from './kept-platform.ts'

const SERVER = join(import.meta.dirname, '..', '..', 'deploy', 'local', 'web', 'web-server.ts')

export type ServedPages = { url: string; stop: () => Promise<void> }

/** Serves the current pages at a free port that the kept gateways accept as an origin. */
export async function servePages({ running, webPorts }: SharedPlatform): Promise<ServedPages> {
  const webRoot = await buildWeb((line) => console.log(`web: ${line}`))
  const port = await findFreePort(webPorts)
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [SERVER], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(port),
      GATEWAY_PORT: new URL(running.gatewayUrl).port,
      MAIL_PORT: new URL(running.mailUrl).port,
      WEB_ROOT: webRoot ?? '',
      VITE_ENVIRONMENT: 'local',
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await waitUntil('the pages are served', () => isAnswering(url))
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function findFreePort(ports: number[]): Promise<number> {
  for (const port of ports) if (await isPortFree(port)) return port
  throw new Error(`every port for pages is taken: ${ports.join(', ')}`)
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
