import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { createParser } from './parse-message.ts'

export type Listener = { definition: EventDefinition; hear: (event: Event<unknown>) => void }
/** What is read, and what is done with each message; it may have been read by another thread. */
export type Hearing = { topics: string[]; hear: (value: Buffer | string | null) => void }

/** What is no event of these listeners is left alone. */
export function hearingOf(listeners: readonly Listener[], topicPrefix: string): Hearing {
  const parse = createParser(
    listeners.map(({ definition }) => definition),
    false,
  )
  return {
    topics: [...new Set(listeners.map(({ definition }) => topicPrefix + definition.topic))],
    hear(value) {
      const parsed = parse(value)
      if (!('event' in parsed)) return
      for (const { definition, hear } of listeners) if (definition.type === parsed.event.type) hear(parsed.event)
    },
  }
}
