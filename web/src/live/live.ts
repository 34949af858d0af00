import type { QueryKey } from '@tanstack/react-query'
import { notificationsKey } from '../api/notifications.queries.ts'
import { pause } from '../pause.ts'
import { api, session } from '../platform.ts'
import { queryClient } from '../queries.ts'
import { createLiveStream } from './live-stream.ts'
import type { ServerEvent } from './read-events.ts'
import { type StaleArea, staleAreas } from './stale-areas.ts'
import { usageMayChange } from './usage-activity.ts'

/** Changes that arrive together cause one reload. */
const TOGETHER_MS = 150
const LIVE = '/api/v1/internal/events'
const QUERIES: Record<Exclude<StaleArea, 'all' | 'details' | 'usage'>, QueryKey> = {
  notifications: notificationsKey,
  'api-keys': ['api-keys'],
  plan: ['plan'],
  pricing: ['pricing'],
  requests: ['requests'],
  trail: ['audit-trail'],
}

const waiting = new Set<StaleArea>()
let timer: ReturnType<typeof setTimeout> | undefined

function onEvent(event: ServerEvent): void {
  for (const area of staleAreas(event)) waiting.add(area)
  if (waiting.size > 0) timer ??= setTimeout(renew, TOGETHER_MS)
}

function renew(): void {
  timer = undefined
  const areas = [...waiting]
  waiting.clear()
  for (const area of areas) {
    if (area === 'details') void session.renewDetails()
    else if (area === 'all') void queryClient.invalidateQueries()
    else if (area === 'usage') renewUsage()
    else void queryClient.invalidateQueries({ queryKey: QUERIES[area] })
  }
}

/** Live numbers are loaded again with each report; polled ones at their next interval, unless that is long because nothing had changed. */
function renewUsage(isStreamOpen?: boolean): void {
  const wasQuiet = usageMayChange(isStreamOpen)
  const isDue = (usage: unknown): boolean => (wasQuiet ? usage !== undefined : usage === 'live')
  if (wasQuiet || isStreamOpen === undefined)
    void queryClient.invalidateQueries({ predicate: ({ meta }) => isDue(meta?.['usage']) })
}

const stream = createLiveStream({
  open: (lastEventId, signal) =>
    api.open({
      path: LIVE,
      signal,
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    }),
  onEvent,
  onConnected: renewUsage,
  waitMs: pause,
})

/**
 * Runs until the returned function is called, only while the page is visible: a browser has six connections for all its
 * tabs.
 */
export function listen(): () => void {
  const follow = (): void => (document.visibilityState === 'visible' ? stream.start() : stream.stop())
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stream.stop()
    stream.forget()
  }
}
