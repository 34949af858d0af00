import { type HearOptions, hearTopics } from './hear-topics.ts'
import type { Log } from './log.ts'

const RETRY_MS = 2_000

export type KeepHearingOptions = Omit<HearOptions, 'group'> & {
  /** The process's kind; the group has an id of its own. */
  name: string
  log: Log
}

/** Joins the topics beside everything else and goes on trying: a process that only hears changes starts without Kafka. */
export function keepHearing({ name, log, ...options }: KeepHearingOptions): { stop: () => Promise<void> } {
  const group = `${name}-${crypto.randomUUID()}`
  let stopHearing: (() => Promise<void>) | undefined
  let isStopped = false
  let isToldOf = false
  const join = async (): Promise<void> => {
    try {
      const { stop } = await hearTopics({ ...options, group })
      stopHearing = stop
      if (isStopped) await stop()
    } catch (error) {
      if (!isToldOf) log.warn({ error: String(error) }, 'changes cannot be heard from Kafka yet')
      isToldOf = true
      if (!isStopped) setTimeout(() => void join(), RETRY_MS).unref()
    }
  }
  void join()
  return {
    async stop() {
      isStopped = true
      await stopHearing?.()
    },
  }
}
