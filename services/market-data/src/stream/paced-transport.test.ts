import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messagesPerSecondOf, pacedTransport } from './paced-transport.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function recorder() {
  const sent: string[] = []
  return {
    sent,
    transport: {
      send: ({ json }: { json: string }) => void sent.push(json),
      bufferedBytes: () => 5,
      end: (code: number) => void sent.push(`end ${code}`),
      stop: () => undefined,
    },
  }
}
const message = (json: string) => ({ type: 'trades', json })

test('a burst of messages of one second is sent, the rest waits in order and counts as buffered', () => {
  const { sent, transport } = recorder()
  const paced = pacedTransport(transport, 10)
  for (let n = 0; n < 14; n += 1) paced.send(message(`m${n}`))
  expect(sent).toEqual(Array.from({ length: 10 }, (_value, n) => `m${n}`))
  expect(paced.bufferedBytes()).toBe(5 + 'm10m11m12m13'.length)
  vi.advanceTimersByTime(400)
  expect(sent).toHaveLength(14)
  vi.advanceTimersByTime(300)
  paced.send(message('last'))
  paced.end(1001, '')
  expect(sent).toEqual([...Array.from({ length: 14 }, (_value, n) => `m${n}`), 'last', 'end 1001'])
})

test('waiting messages are sent before the end, and without a limit nothing waits', () => {
  const { sent, transport } = recorder()
  const paced = pacedTransport(transport, 1)
  for (const json of ['a', 'b', 'c']) paced.send(message(json))
  expect(sent).toEqual(['a'])
  paced.end(4408, '')
  expect(sent).toEqual(['a', 'b', 'c', 'end 4408'])
  expect(paced.bufferedBytes()).toBe(5)
  expect(pacedTransport(transport, 0)).toBe(transport)
})

test('only a whole positive number is a limit', () => {
  expect(['10', undefined, '', '0', '-1', 'x', ['5', '6']].map(messagesPerSecondOf)).toEqual([10, 0, 0, 0, 0, 0, 0])
})
