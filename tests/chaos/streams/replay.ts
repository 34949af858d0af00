import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestPlatform } from '@tapeline/testing/test-platform'

export type ReplayOptions = {
  /** `venue:SYMBOL`. */
  connect: string
  files: readonly string[]
  speed: number
  /** Receive time of the first line in ns. */
  beginsNs: bigint
}
/** Plays recorded frames into the platform as a connector would. */
export type RunningReplay = {
  isDone: () => boolean
  /** kill -9; it is started again and continues at the same pace. False once the replay is over. */
  cut: () => Promise<boolean>
  /** The figures printed at the end of the replay. */
  counts: () => Promise<{ trades: number; l2Events: number }>
  stop: () => Promise<void>
}

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'services', 'market-data', 'src', 'replay.ts')
const NS_PER_MS = 1_000_000
/** Waits until the first line is played. */
const STARTS_WITHIN_MS = 1_500
const COUNTS = /(\d+) trades, (\d+) book events/

export function startReplay(platform: TestPlatform, { connect, files, speed, beginsNs }: ReplayOptions): RunningReplay {
  const env = {
    ...process.env,
    DATABASE_URL: platform.databaseUrls['market-data'],
    KAFKA_BROKERS: platform.addresses.kafkaBrokers,
    KAFKA_TOPIC_PREFIX: platform.topicPrefix,
  }
  let output = Promise.resolve('')
  let exited: Promise<unknown> = Promise.resolve()
  let reachedNs = beginsNs
  let startedMs = 0
  let child = start()

  function start(): ChildProcess {
    const args = [SCRIPT, connect, ...files, '--speed', String(speed), '--from', String(reachedNs)]
    const started = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    startedMs = Date.now()
    output = text(started.stdout)
    exited = once(started, 'exit')
    return started
  }

  async function kill(): Promise<void> {
    const playedMs = Math.max(0, Date.now() - startedMs - STARTS_WITHIN_MS) * speed
    reachedNs += BigInt(Math.round(playedMs * NS_PER_MS))
    child.kill('SIGKILL')
    await exited
  }

  const isDone = () => child.exitCode !== null
  return {
    isDone,
    async cut() {
      if (isDone()) return false
      await kill()
      child = start()
      return true
    },
    async counts() {
      await exited
      const [, trades, l2Events] = COUNTS.exec(await output) ?? []
      if (child.exitCode !== 0) throw new Error(`the replay ended with ${child.exitCode}`)
      return { trades: Number(trades), l2Events: Number(l2Events) }
    },
    async stop() {
      if (!isDone()) await kill()
    },
  }
}
