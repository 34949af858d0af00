import { join } from 'node:path'
import { startServers } from '../../deploy/local/servers/servers.ts'
import { addresses, type TestServers } from './server-addresses.ts'

/** Undefined if the selected backend is not available; the reason is printed. */
export async function startTestServers(dir: string, log: (line: string) => void): Promise<TestServers | undefined> {
  if (process.env['TEST_BACKEND'] === 'docker') {
    const { startContainers } = await import('./test-containers.ts')
    return startContainers(log)
  }
  // fsync is off: a killed process loses nothing written to the page cache, and no test cuts the power.
  const servers = await startServers({ dir: join(dir, 'servers'), ports: 'free', postgresSettings: { fsync: 'off' } })
  return { environment: { ...addresses(servers), TEST_DATABASE_TEMPLATES: 'yes' }, stop: servers.stop }
}
