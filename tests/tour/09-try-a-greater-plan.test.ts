import type { Plan } from '@tapeline/contracts/config/plans'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, mailUrl } = runningPlatform()
const subscription = `${gatewayUrl}/api/v1/internal/subscription`
const SENT_WITHIN_MS = 60_000
const LINK = /verify-email\?token=([\w-]{43})/

/** The token of the verification link mailed to a new account. */
function tokenFor(address: string): Promise<string> {
  const find = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(
      `${mailUrl}/messages?to=${encodeURIComponent(address)}`,
    )
    return body.messages.map(({ text }) => LINK.exec(text)?.[1]).find((token) => token !== undefined)
  }
  return waitUntil('the link is in the mail', find, SENT_WITHIN_MS)
}

test('a trial: after verification the higher limits apply at once, after cancellation the free ones', async () => {
  const { email, jwtToken: token } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, token)
  const limits = async () => {
    const { body } = await send<{ data: LimitsReport }>(`${gatewayUrl}/api/v1/limits`, { token: apiKey })
    return [body.data.tier, body.data.windows.find(({ policy }) => policy === 'min')?.limit]
  }
  const tryPro = () => send<{ data: Plan }>(`${subscription}/trial`, { token, body: { tier: 'pro' } })
  expect((await tryPro()).body).toMatchObject({ code: 'trial.email_not_verified' })
  expect(await limits()).toEqual(['free', 10])

  const body = { token: await tokenFor(email) }
  expect((await send(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body })).status).toBe(200)
  expect(await tryPro()).toMatchObject({ status: 201, body: { data: { tier: 'pro', trial: { days_left: 14 } } } })
  expect(await limits()).toEqual(['pro', 500])

  const cancelled = await send<{ data: Plan }>(`${subscription}/cancel`, { token, body: { what: 'trial' } })
  expect(cancelled.body.data).toMatchObject({ tier: 'free', trial: null })
  expect(await limits()).toEqual(['free', 10])
  expect((await tryPro()).body).toMatchObject({ code: 'trial.already_used' })
})
