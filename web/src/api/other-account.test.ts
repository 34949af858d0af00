import { expect, test } from 'vitest'
import { lockAcrossTabs } from './across-tabs.ts'
import { createClient } from './client.ts'

/** A call of Ada that is rejected while another tab signs in as `userId`, with other tokens. */
async function rejectedWhile(userId: string) {
  let stored = { id: 'ada', jwtToken: 'first' }
  const sent: (string | null)[] = []
  let ended = 0
  const { data } = createClient({
    baseUrl: 'http://api.test',
    fetch: async (_input, init) => {
      const authorization = new Headers(init?.headers).get('authorization')
      sent.push(authorization)
      if (authorization === 'Bearer other-tab') return Response.json({ success: true, message: 'Done', data: 'fine' })
      stored = { id: userId, jwtToken: 'other-tab' }
      return Response.json({ message: 'Expired' }, { status: 401 })
    },
    tokens: {
      read: () => ({ jwtToken: stored.jwtToken, refreshToken: 'r', expiresAt: 1 }),
      readUser: () => ({ id: stored.id }),
      renew: () => expect.fail('no refresh token is used'),
    },
    withLock: lockAcrossTabs(undefined),
    onSessionEnded: () => void (ended += 1),
  })
  const result = await data({ path: '/x' }).catch((error: unknown) => error)
  return { result, sent, ended }
}

test('a rejected call is repeated with the token that another tab of the account has renewed', async () => {
  expect(await rejectedWhile('ada')).toEqual({ result: 'fine', sent: ['Bearer first', 'Bearer other-tab'], ended: 0 })
})

test('a rejected call is not repeated for another account, whose session stays', async () => {
  const { result, sent, ended } = await rejectedWhile('grace')
  expect(result).toMatchObject({ status: 401, message: 'Expired' })
  expect([sent, ended]).toEqual([['Bearer first'], 0])
})
