import { expect, test } from 'vitest'
import { lockAcrossTabs } from './across-tabs.ts'
import { refreshSession } from './refresh-session.ts'

const tokenOf = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.signature`

function refreshWith(storedToken: string, refusedToken: string): Promise<string | undefined> {
  const tokens = {
    read: () => ({ jwtToken: storedToken, refreshToken: 'r1', expiresAt: 1 }),
    renew: () => expect.fail('not renewed'),
  }
  const exchange = async (): Promise<never> => expect.fail('no refresh token is used')
  return refreshSession({ tokens, withLock: lockAcrossTabs(undefined), exchange }, refusedToken)
}

test('a rejected call is repeated with the token that another tab has renewed', async () => {
  const renewed = tokenOf({ sub: 'ada', iat: 2 })
  expect(await refreshWith(renewed, tokenOf({ sub: 'ada', iat: 1 }))).toBe(renewed)
})

test('a rejected call is not repeated for another account that has signed in meanwhile, whose session stays', async () => {
  const refresh = refreshWith(tokenOf({ sub: 'grace' }), tokenOf({ sub: 'ada' }))
  await expect(refresh).rejects.toMatchObject({ status: 401, code: 'session.ended' })
})
