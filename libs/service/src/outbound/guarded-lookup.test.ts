import { expect, test } from 'vitest'
import { createGuardedLookup } from './guarded-lookup.ts'

/** Looks up a name like a socket. */
function lookUp(hostname: string, allowsLoopback: boolean, all: boolean): Promise<unknown> {
  const lookup = createGuardedLookup({ allowsLoopback })
  return new Promise((resolve) => {
    lookup(hostname, { all }, (error, found) => resolve(error === null ? found : error.name))
  })
}

test('a name of this machine resolves only where loopback is allowed', async () => {
  for (const all of [true, false]) expect(await lookUp('localhost', false, all)).toBe('PrivateAddress')
  expect(await lookUp('localhost', true, false)).toMatch(/^(127\.0\.0\.1|::1)$/)
  expect(await lookUp('localhost', true, true)).toEqual(expect.arrayContaining([expect.anything()]))
})
