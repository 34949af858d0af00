import { expect, test } from 'vitest'
import { createBrowserPolicy } from './browser-policy.ts'

const policy = createBrowserPolicy('http://localhost:3000, http://127.0.0.1:3000')

/** As the request pipeline and the response writer send them together. */
function namesOf(origin: string | undefined): string[] {
  return [...policy.headersFor(origin), ...policy.preflightFor(origin)].filter((_text, index) => index % 2 === 0)
}

test('the answer to a preflight names every header once, as browsers require', () => {
  const names = namesOf('http://localhost:3000')
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('access-control-allow-origin')
  expect(names).toContain('access-control-allow-headers')
})

test('an origin that is not listed may not call from a browser', () => {
  for (const origin of ['http://localhost:3000.evil.example', 'null', undefined]) {
    expect(namesOf(origin).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})
