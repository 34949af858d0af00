import { hearingOf } from './hearing-of.ts'
import { keepHearing } from './keep-hearing.ts'
import type { ListenOptions } from './listen.ts'
import type { Log } from './log.ts'

type Options = Omit<ListenOptions, 'group'> & {
  /** The process's kind. */
  name: string
  log: Log
}

/** Listens beside everything else and goes on trying. */
export function keepListening({ kafka, name, log, topicPrefix, listeners }: Options): { stop: () => Promise<void> } {
  return keepHearing({ kafka, name: topicPrefix + name, log, ...hearingOf(listeners, topicPrefix) })
}
