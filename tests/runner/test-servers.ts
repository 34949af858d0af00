import { join } from 'node:path'
import { startServers } from '../../deploy/local/servers/servers.ts'
import { addresses, type TestServers } from './server-addresses.ts'

/** Undefined when the chosen way is not there; the reason has been said. */
export async function startTestServers(dir: string, say: (line: string) => void): Promise<TestServers | undefined> {
  if (process.env['TEST_BACKEND'] === 'docker') {
    const { startContainers } = await import('./test-containers.ts')
    return startContainers(say)
  }
  // A process that is killed loses nothing the system has taken; no test takes the machine's power away.
  const servers = await startServers({ dir: join(dir, 'servers'), ports: 'free', postgresSettings: { fsync: 'off' } })
  return { environment: addresses(servers), stop: servers.stop }
}
