import { expect, test } from 'vitest'
import { OpenSlots } from './open-slots.ts'

const slots = () => new OpenSlots({ perAccount: 2, total: 3, code: 'stream.too_many', what: 'event streams' })

test('the account and the process have separate bounds, and released slots can be taken again', () => {
  const open = slots()
  const free = open.take('a')
  open.take('a')
  expect(() => open.take('a')).toThrow(expect.objectContaining({ code: 'stream.too_many', status: 429 }))
  open.take('b')
  expect(() => open.take('b')).toThrow(expect.objectContaining({ code: 'service.unavailable', status: 503 }))
  free()
  free()
  open.take('a')
  expect(() => open.take('c')).toThrow(expect.objectContaining({ code: 'service.unavailable' }))
})
