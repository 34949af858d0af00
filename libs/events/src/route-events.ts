import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { createParser } from './parse-message.ts'

export type EventHandler = { definition: EventDefinition; handle: (event: Event<unknown>) => void }
/** Topics to read, and the function that handles each message; another thread may have read it. */
export type EventRoutes = { topics: string[]; onMessage: (value: Buffer | string | null) => void }

/** Parses each message and calls the handlers of its event type; other types are ignored. */
export function routeEvents(handlers: readonly EventHandler[], topicPrefix: string): EventRoutes {
  const parse = createParser(
    handlers.map(({ definition }) => definition),
    false,
  )
  return {
    topics: [...new Set(handlers.map(({ definition }) => topicPrefix + definition.topic))],
    onMessage(value) {
      const parsed = parse(value)
      if (!('event' in parsed)) return
      for (const { definition, handle } of handlers) if (definition.type === parsed.event.type) handle(parsed.event)
    },
  }
}
