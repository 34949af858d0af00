import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runOnce } from '../processes/run-once.ts'
import { StartProblem } from '../start-problem.ts'

export type Java = { command: string; major: number; version: string }

export const JAVA_MAJOR_MIN = 17
export const JAVA_REMEDY =
  'Install it: sudo apt-get install -y openjdk-17-jre-headless (or set JAVA_HOME, or KAFKA_BROKERS to use a Kafka of your own).'
const VERSION_TIMEOUT_MS = 20_000

export async function findJava(): Promise<Java> {
  const found: Java[] = []
  for (const command of candidates()) {
    const java = await readJava(command)
    if (java !== undefined) found.push(java)
    if (java !== undefined && java.major >= JAVA_MAJOR_MIN) return java
  }
  const old = found[0]
  const what =
    old === undefined
      ? 'Kafka needs Java 17 or newer; none was found.'
      : `Kafka needs Java 17 or newer; ${old.command} is ${old.major}.`
  throw new StartProblem(what, JAVA_REMEDY)
}

function candidates(): string[] {
  const home = process.env.JAVA_HOME
  const fromHome = home === undefined || home === '' ? undefined : join(home, 'bin', 'java')
  return fromHome !== undefined && existsSync(fromHome) ? [fromHome, 'java'] : ['java']
}

async function readJava(command: string): Promise<Java | undefined> {
  const { code, output } = await runOnce(command, ['-version'], { timeoutMs: VERSION_TIMEOUT_MS })
  return code === 0 ? parseJavaVersion(command, output) : undefined
}

export function parseJavaVersion(command: string, output: string): Java | undefined {
  const version = /version "([^"]+)"/.exec(output)?.[1]
  if (version === undefined) return undefined
  const [first, second] = version.split(/[._+-]/)
  const major = Number(first === '1' ? second : first)
  return Number.isInteger(major) ? { command, major, version } : undefined
}
