import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { classArchive } from './class-archive.ts'
import type { Java } from './java.ts'
import { lastErrorLine, logEnd, readAfter } from './log-tail.ts'
import { stopLeftover } from '../processes/pid-file.ts'
import { isListening } from '../ports/port-owner.ts'
import { PortInUse } from '../ports/port-in-use.ts'
import { runChild } from '../processes/run-child.ts'
import { runOnce } from '../processes/run-once.ts'
import type { ServerOptions, ServerProcess } from './server-process.ts'
import { StartProblem } from '../start-problem.ts'
import { waitForServer } from './wait-for-server.ts'

export type KafkaOptions = ServerOptions & {
  controllerPort: number
  jarsDir: string
  java: Java
  /** One of several brokers, numbered from 1; by default the only one. */
  cluster?: { node: number; controllerPorts: number[] }
}

const VERSION = '4.3.1'
const CLUSTER_ID = 'AAAAAAAAAAAAAAAAAAAAAQ'
const TEMPLATE = join(import.meta.dirname, 'server.properties')
const JVM = [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xms32m',
  '-Xmx256m',
  '-XX:MinHeapFreeRatio=20',
  '-XX:MaxHeapFreeRatio=40',
  '-XX:-UsePerfData',
  '-Xss256k',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Xlog:cds=off',
  '-Xlog:cds+dynamic=off',
]
const FORMAT_TIMEOUT_MS = 60_000
const READY_TIMEOUT_MS = 60_000
/** The run that records the class archive writes it while stopping; on a busy machine the next one tries again. */
const STOP_TIMEOUT_MS = 5_000

export async function startKafka(options: KafkaOptions): Promise<ServerProcess> {
  const { dir, port, jarsDir, java } = options
  await stopLeftover(dir, 'kafka', 'SIGTERM')
  const data = join(dir, 'kafka')
  const classPath = readdirSync(jarsDir)
    .filter((file) => file.endsWith('.jar'))
    .sort()
    .map((file) => join(jarsDir, file))
    .join(':')
  await formatOnce(options, data, classPath)
  const log = join(dir, 'logs', 'kafka.log')
  const from = logEnd(log)
  const archive = classArchive(jarsDir, java)
  const child = await runChild({
    name: 'kafka',
    command: java.command,
    args: [...JVM, ...archive.jvmArguments, '-cp', classPath, 'kafka.Kafka', writeProperties(options, data)],
    dir,
    marker: dir,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: { file: log },
  })
  void child.exited.then(archive.save)
  const state = await waitForServer(child, async () => isListening(child.pid, port), READY_TIMEOUT_MS)
  if (state !== 'ready') {
    await child.kill()
    explainFailure(options, log, from)
  }
  return { url: `127.0.0.1:${port}`, port, pid: child.pid, child, version: VERSION, stop: child.stop }
}

/** Formatted under a temporary name and renamed, so that an interrupted start leaves no incomplete folder. */
async function formatOnce(options: KafkaOptions, data: string, classPath: string): Promise<void> {
  if (existsSync(join(data, 'meta.properties'))) return
  if (existsSync(data) && readdirSync(data).length > 0) {
    throw new StartProblem(
      `${data} is damaged: it has no meta.properties.`,
      `Move it away to start with an empty Kafka: mv ${data} ${data}.damaged`,
    )
  }
  const temporary = `${data}.new-${process.pid}`
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  options.report?.('formatting the data folder')
  const properties = writeProperties(options, temporary)
  const args = [
    ...JVM,
    '-cp',
    classPath,
    'kafka.tools.StorageTool',
    'format',
    '--ignore-formatted',
    '-t',
    CLUSTER_ID,
    '-c',
    properties,
  ]
  const { code, output } = await runOnce(options.java.command, args, { timeoutMs: FORMAT_TIMEOUT_MS })
  if (code !== 0)
    throw new StartProblem(
      `Kafka could not format ${data}: ${output.trim().split('\n').at(-1) ?? ''}`,
      'Check that the disk has room and the folder is writable.',
    )
  rmSync(data, { recursive: true, force: true })
  renameSync(temporary, data)
}

function writeProperties({ dir, port, controllerPort, cluster }: KafkaOptions, data: string): string {
  const { node, controllerPorts } = cluster ?? { node: 1, controllerPorts: [controllerPort] }
  const values: Record<string, string> = {
    port: String(port),
    controllerPort: String(controllerPort),
    dir: data,
    node: String(node),
    voters: controllerPorts.map((voter, n) => `${n + 1}@127.0.0.1:${voter}`).join(','),
    replicas: String(controllerPorts.length),
    // All but one: a topic accepts records while one broker is unavailable.
    insync: String(Math.max(1, controllerPorts.length - 1)),
  }
  const text = readFileSync(TEMPLATE, 'utf8').replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  const file = join(dir, 'kafka.properties')
  mkdirSync(dir, { recursive: true })
  writeFileSync(file, text)
  return file
}

function explainFailure({ dir, port, controllerPort }: KafkaOptions, log: string, from: number): never {
  const newLines = readAfter(log, from)
  if (/Address already in use|BindException/i.test(newLines))
    throw new PortInUse(
      'kafka',
      newLines.includes(String(controllerPort)) && !newLines.includes(`:${port}`) ? controllerPort : port,
    )
  throw new StartProblem(
    `Kafka did not start: ${lastErrorLine(log, from, /ERROR|FATAL|Exception|Error/)}`,
    `Its log is ${log}, its data ${join(dir, 'kafka')}.`,
  )
}
