import { expect, test } from 'vitest'
import { createLiveStream } from './live-stream.ts'
import { createEventReader, type ServerEvent } from './read-events.ts'
import { staleAreas } from './stale-areas.ts'

function readInPieces(text: string, size: number): ServerEvent[] {
  const events: ServerEvent[] = []
  const reader = createEventReader((event) => events.push(event))
  for (let at = 0; at < text.length; at += size) reader.take(text.slice(at, at + size))
  return events
}

test.each([1, 3, 7, 1_000])('events are parsed from chunks of %i characters, including heartbeats', (size) => {
  const text =
    'retry: 2000\n\nid: 1.0.5\nevent: open\ndata: {}\n\n: heartbeat\nid: 2.0.6\n\nevent: usage\ndata: {"at":"now"}\n\ndata: not json\n\nid: 3'
  expect(readInPieces(text, size)).toEqual([
    { name: 'open', id: '1.0.5', data: {} },
    { name: 'message', id: '2.0.6', data: undefined },
    { name: 'usage', id: undefined, data: { at: 'now' } },
    { name: 'message', id: undefined, data: undefined },
  ])
})

/** A server that sends the next script on each connection and then closes it. */
function streamOf(connections: (string | Error)[]) {
  const lastEventIds: (string | undefined)[] = []
  const events: string[] = []
  const waits: number[] = []
  const connected: boolean[] = []
  const done = Promise.withResolvers<void>()
  const stream = createLiveStream({
    open: async (lastEventId) => {
      lastEventIds.push(lastEventId)
      const next = connections.shift()
      if (next === undefined || next instanceof Error) throw next ?? new Error('no more')
      return new Response(next)
    },
    onEvent: ({ name }) => void events.push(name),
    onConnected: (isConnected) => {
      if (isConnected !== (connected.at(-1) ?? false)) connected.push(isConnected)
    },
    waitMs: async (milliseconds) => {
      waits.push(milliseconds)
      if (connections.length > 0) return
      stream.stop()
      done.resolve()
    },
  })
  return { stream, lastEventIds, events, waits, connected, done: done.promise }
}

test('a broken stream resumes after its last id, with a longer delay after each failure', async () => {
  const { stream, lastEventIds, events, waits, connected, done } = streamOf([
    'id: 7.1.9\nevent: open\ndata: {}\n\n',
    new Error('unavailable'),
    new Error('unavailable'),
    'id: 8.1.9\nevent: change\ndata: {"type":"config.flag-changed.v1"}\n\n',
    new Error('end'),
  ])
  stream.start()
  stream.start()
  await done
  expect(lastEventIds).toEqual([undefined, '7.1.9', '7.1.9', '7.1.9', '8.1.9'])
  expect(events).toEqual(['open', 'change'])
  expect(waits).toEqual([500, 1_000, 2_000, 500, 1_000])
  expect(connected).toEqual([true, false, true, false])
})

test('a stream that could not be opened at first counts as one with a gap: everything is reloaded', async () => {
  const { stream, lastEventIds, events, done } = streamOf([
    new Error('unavailable'),
    'id: 7.1.9\nevent: open\ndata: {}\n\n',
    'id: 8.1.9\nevent: usage\ndata: {}\n\n',
    new Error('end'),
  ])
  stream.start()
  await done
  expect(lastEventIds).toEqual([undefined, undefined, '7.1.9', '8.1.9'])
  expect(events).toEqual(['reset', 'open', 'usage'])
})

test('a stream stopped before its first connection starts with a reset; the stream of a new user does not', async () => {
  const open = 'id: 7.1.9\nevent: open\ndata: {}\n\n'
  const late = streamOf([open, new Error('end')])
  late.stream.stop()
  late.stream.start()
  await late.done
  expect(late.events).toEqual(['reset', 'open'])
  const next = streamOf([open, new Error('end')])
  next.stream.stop()
  next.stream.forget()
  next.stream.start()
  await next.done
  expect(next.events).toEqual(['open'])
})

test.each([
  ['config.flag-changed.v1', ['details', 'trail']],
  ['config.flag-flipped.v1', ['details', 'trail']],
  ['identity.role-changed.v1', ['details', 'trail']],
  ['config.tiers-changed.v2', ['pricing', 'details', 'plan', 'trail']],
  ['config.subscription-changed.v3', ['details', 'plan', 'trail']],
  ['api-key.revoked.v1', ['api-keys', 'trail']],
  ['identity.user-signed-in.v1', ['trail']],
  ['market-data.gap.v1', ['trail']],
])('%s invalidates %j', (type, concerns) => {
  expect(staleAreas({ name: 'change', id: undefined, data: { type } })).toEqual(concerns)
})

test('after a reset everything is reloaded', () => {
  expect(staleAreas({ name: 'reset', id: '1', data: {} })).toEqual(['all', 'details'])
  expect(staleAreas({ name: 'usage', id: undefined, data: {} })).toEqual(['requests', 'usage'])
  expect(staleAreas({ name: 'open', id: '1', data: {} })).toEqual([])
})
