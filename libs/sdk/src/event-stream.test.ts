import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from './event-stream.ts'

async function eventsOf(chunks: Uint8Array[]): Promise<ServerEvent[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* chunks
  }
  const found: ServerEvent[] = []
  for await (const event of readEvents(body())) found.push(event)
  return found
}

test('events are parsed however the bytes are split, with any line breaks', async () => {
  const text =
    ': hello\n\nevent: trades\nid: c1\ndata: {"é":1}\n\ndata: a\r\ndata:b\r\n\r\nid: c2\rdata: x\r\rdata: cut'
  const bytes = new TextEncoder().encode(text)
  const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const ends = [...at, bytes.length].toSorted((a, b) => a - b)
      const chunks = ends.map((end, n) => bytes.slice(ends[n - 1] ?? 0, end))
      expect(await eventsOf(chunks)).toEqual([
        { type: 'trades', data: '{"é":1}', id: 'c1' },
        { type: 'message', data: 'a\nb', id: 'c1' },
        { type: 'message', data: 'x', id: 'c2' },
      ])
    }),
    { seed: PROPERTY_SEED },
  )
})
