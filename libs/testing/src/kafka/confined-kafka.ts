import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { cacheFolder } from '../../../../deploy/local/folders.ts'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { findJava } from '../../../../deploy/local/servers/java.ts'
import { fetchFromMaven, mavenFolder } from '../../../../deploy/local/servers/maven.ts'
import { runOnce } from '../../../../deploy/local/processes/run-once.ts'

export type ConfinedKafka = { port: number; stop: () => Promise<void> }
type Settings = { dir: string; environment: Record<string, string | number>; jaas: string }

const JVM = [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xmx256m',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
]
const CLUSTER_ID = 'AAAAAAAAAAAAAAAAAAAAAQ'
const FORMAT_TIMEOUT_MS = 120_000
const READY_WITHIN_MS = 120_000

/** A broker configured as in the Compose file: the environment is converted to properties as the image does. */
export async function startConfinedKafka({ dir, environment, jaas }: Settings): Promise<ConfinedKafka> {
  const java = await findJava()
  await fetchFromMaven(cacheFolder(), ['kafka'], () => {})
  const jarsDir = mavenFolder(cacheFolder(), 'kafka')
  const jars = readdirSync(jarsDir).map((file) => join(jarsDir, file))
  const [port, controllerPort] = [await takeFreePort(), await takeFreePort()]
  mkdirSync(dir, { recursive: true })
  const properties = join(dir, 'kafka.properties')
  writeFileSync(properties, propertiesOf(environment, { dir, port, controllerPort }))
  writeFileSync(join(dir, 'jaas.conf'), jaas)
  const run = (...more: string[]) => [
    ...JVM,
    `-Djava.security.auth.login.config=${join(dir, 'jaas.conf')}`,
    '-cp',
    jars.join(':'),
    ...more,
  ]
  const format = run('kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER_ID, '-c', properties)
  const { code, output } = await runOnce(java.command, format, { timeoutMs: FORMAT_TIMEOUT_MS })
  if (code !== 0) throw new Error(`Kafka could not be formatted: ${output}`)
  const child = spawn(java.command, run('kafka.Kafka', properties), { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    await waitUntil('the broker listens', () => isOpen(port), READY_WITHIN_MS)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, stop }
}

type Place = { dir: string; port: number; controllerPort: number }

function propertiesOf(environment: Record<string, string | number>, { dir, port, controllerPort }: Place): string {
  const own = {
    KAFKA_LISTENERS: `BROKER://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    KAFKA_ADVERTISED_LISTENERS: `BROKER://127.0.0.1:${port}`,
    KAFKA_CONTROLLER_QUORUM_VOTERS: `1@127.0.0.1:${controllerPort}`,
    KAFKA_LOG_DIRS: join(dir, 'data'),
  }
  return Object.entries({ ...environment, ...own })
    .filter(([name]) => !['KAFKA_HEAP_OPTS', 'KAFKA_OPTS'].includes(name))
    .map(
      ([name, value]) =>
        `${name
          .replace(/^KAFKA_/, '')
          .toLowerCase()
          .replaceAll('_', '.')}=${value}\n`,
    )
    .join('')
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
