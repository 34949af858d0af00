import { createEventReader, type ServerEvent } from './read-events.ts'

const WAIT_MIN_MS = 500
const WAIT_MAX_MS = 15_000
/** Three of the server's heartbeats: a connection that is silent for longer is dead. */
export const SILENT_MS = 45_000

export type LiveStreamDeps = {
  /** Opens the account's stream after the last event id. */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>
  onEvent: (event: ServerEvent) => void
  /** `true` with data of a connection, `false` at its end. */
  onConnected: (isConnected: boolean) => void
  waitMs: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Keeps one stream open between `start` and `stop`; reconnects automatically without losing events. */
export function createLiveStream(deps: LiveStreamDeps) {
  let running: AbortController | undefined
  let lastEventId: string | undefined
  /** Without an event id, missed events cannot be determined. */
  let hasGap = false

  function onData(): void {
    deps.onConnected(true)
    if (hasGap) deps.onEvent({ name: 'reset', id: undefined, data: {} })
    hasGap = false
  }

  async function keepOpen(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        await follow(deps, {
          lastEventId,
          signal,
          onId: (id) => (lastEventId = id),
          onData: () => {
            failures = 0
            onData()
          },
        })
      } catch {
        failures += 1
      }
      deps.onConnected(false)
      if (signal.aborted) return
      hasGap ||= lastEventId === undefined
      await deps.waitMs(Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** failures), signal)
    }
  }

  return {
    start: (): void => {
      if (running !== undefined) return
      running = new AbortController()
      void keepOpen(running.signal)
    },
    stop: (): void => {
      running?.abort()
      running = undefined
      hasGap ||= lastEventId === undefined
    },
    /** Resets the position: the next stream belongs to another user. */
    forget: (): void => {
      lastEventId = undefined
      hasGap = false
    },
  }
}

type Following = {
  lastEventId: string | undefined
  signal: AbortSignal
  onId: (id: string) => void
  onData: () => void
}

/** Reads one connection until it ends. */
async function follow({ open, onEvent }: LiveStreamDeps, { lastEventId, signal, onId, onData }: Following) {
  const connection = new AbortController()
  const both = AbortSignal.any([signal, connection.signal])
  const response = await open(lastEventId, both)
  let silence: ReturnType<typeof setTimeout> | undefined
  const reader = createEventReader((event) => {
    if (event.id !== undefined) onId(event.id)
    if (event.data !== undefined) onEvent(event)
  })
  const texts = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), SILENT_MS)
      const piece = await texts?.read()
      if (piece === undefined || piece.done) return
      onData()
      reader.take(piece.value)
    }
  } finally {
    clearTimeout(silence)
    connection.abort()
  }
}
