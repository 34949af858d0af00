import { join } from 'node:path'
import { cacheFolder } from '../../../deploy/local/folders.ts'
import { takeFreePort } from '../../../deploy/local/ports/free-port.ts'
import { silent } from '../../../deploy/local/report.ts'
import { findJava } from '../../../deploy/local/servers/java.ts'
import { startKafka } from '../../../deploy/local/servers/kafka.ts'
import { fetchFromMaven, mavenFolder } from '../../../deploy/local/servers/maven.ts'
import type { ServerProcess } from '../../../deploy/local/servers/server-process.ts'
import type { Part } from './part.ts'

const BROKERS = 3

export type KafkaBrokers = { brokers: string; parts: Part[]; stop: () => Promise<void> }

/** Three brokers that are also controllers: replication factor 3, `min.insync.replicas` 2. */
export async function startKafkaBrokers(dir: string): Promise<KafkaBrokers> {
  const java = await findJava()
  await fetchFromMaven(cacheFolder(), ['kafka'], silent)
  const jarsDir = mavenFolder(cacheFolder(), 'kafka')
  const numbers = Array.from({ length: BROKERS }, (_, n) => n + 1)
  const ports = await Promise.all(numbers.map(takeFreePort))
  const controllerPorts = await Promise.all(numbers.map(takeFreePort))
  const running: ServerProcess[] = []
  const start = async (node: number): Promise<void> => {
    const [port = 0, controllerPort = 0] = [ports[node - 1], controllerPorts[node - 1]]
    const cluster = { node, controllerPorts }
    running[node - 1] = await startKafka({
      dir: join(dir, `kafka-${node}`),
      port,
      controllerPort,
      jarsDir,
      java,
      cluster,
    })
  }
  await Promise.all(numbers.map(start))
  const parts = numbers.map((node): Part => ({
    name: `kafka-${node}`,
    kind: 'broker',
    kill: async () => running[node - 1]?.child.kill(),
    restart: () => start(node),
  }))
  return {
    brokers: ports.map((port) => `127.0.0.1:${port}`).join(','),
    parts,
    stop: async () => void (await Promise.all(running.map((broker) => broker.stop()))),
  }
}
