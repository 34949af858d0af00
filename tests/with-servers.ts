import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startTestServers } from './runner/test-servers.ts'

// node tests/with-servers.ts <script> [arguments]: uses the servers named in the environment, or starts its own for the
// duration of the script.
const [script, ...args] = process.argv.slice(2)
if (script === undefined) {
  console.error('usage: node tests/with-servers.ts <script> [arguments]')
  process.exit(2)
}
const parentDir = join(import.meta.dirname, '..', '.tapeline')
mkdirSync(parentDir, { recursive: true })
const dir = mkdtempSync(join(parentDir, 'with-servers-'))
const log = (line: string) => console.error(line)
if (process.env['DATABASE_URL'] === undefined) log('starting PostgreSQL, Redis and Kafka')
const servers = await startTestServers(dir, log)
if (servers === undefined) process.exit(1)
const child = spawn(process.execPath, [script, ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...servers.environment },
})
// A signal that ends this process ends the script first, then the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
try {
  const [code] = await once(child, 'exit')
  process.exitCode = typeof code === 'number' ? code : 1
} finally {
  await servers.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
