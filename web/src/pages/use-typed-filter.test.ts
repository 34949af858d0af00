import { expect, test } from 'vitest'
import { type Draft, followAddress } from './use-typed-filter.ts'

const draft = (changed: Partial<Draft> = {}): Draft => ({ text: 'btc', isTyping: false, address: '', ...changed })

test('a field keeps what the user types, whatever happens to the URL', () => {
  const typing = draft({ isTyping: true })
  expect(followAddress(typing, 'eth')).toBe(typing)
})

test('an applied text stays while the URL has not changed yet, and when it contains the text', () => {
  expect(followAddress(draft(), '')).toEqual(draft())
  expect(followAddress(draft(), 'btc')).toEqual(draft({ address: 'btc' }))
})

test('a field follows a later change of the URL, also back to what it was before', () => {
  const applied = followAddress(draft(), 'btc')
  expect(followAddress(applied, 'eth')).toBeUndefined()
  expect(followAddress(applied, '')).toBeUndefined()
})

test('a text that the URL contains in another form stays as it was typed', () => {
  const cleaned = (text: string) => text.replaceAll('-', '')
  expect(followAddress(draft({ text: '01-9a' }), '019a', cleaned)?.text).toBe('01-9a')
})
