import { send, signUpUser } from '@tapeline/testing/api-client'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const SCRIPT = join(import.meta.dirname, '..', '..', 'deploy', 'local', 'admin.ts')

/** Runs `npm run admin -- …`. */
function admin(...words: string[]) {
  const { identityDatabaseUrl, configDatabaseUrl, redisUrl } = platform
  const addresses = { IDENTITY_DATABASE_URL: identityDatabaseUrl, CONFIG_DATABASE_URL: configDatabaseUrl }
  const env = { ...process.env, ...addresses, REDIS_URL: redisUrl }
  return promisify(execFile)(process.execPath, [SCRIPT, ...words], { env })
}

test('an operator finds an account by its e-mail, changes its plan and signs it out everywhere', async () => {
  const { email, user, jwtToken: token } = await signUpUser(platform.gatewayUrl)
  expect(JSON.parse((await admin('set-tier', email, 'pro')).stdout)).toMatchObject({ account_id: user.id, tier: 'pro' })
  const limits = await send(`${platform.gatewayUrl}/api/v1/limits`, { token })
  expect(limits.body).toMatchObject({ data: { tier: 'pro' } })
  expect(JSON.parse((await admin('show', email)).stdout)).toMatchObject({
    account_id: user.id,
    email,
    role: 'user',
    status: 'active',
    living_sessions: 1,
    subscription: { tier: 'pro', rate_limits: null },
  })
  expect(JSON.parse((await admin('end-sessions', email)).stdout)).toMatchObject({ ended: 1 })
  for (const gatewayUrl of platform.gatewayUrls) {
    expect(await send(`${gatewayUrl}/api/v1/limits`, { token })).toMatchObject({
      status: 401,
      body: { code: 'session.ended' },
    })
  }
})

test('usage errors are reported in one line or with the list of commands', async () => {
  expect((await admin('--help')).stdout).toContain('npm run admin -- <command>')
  await expect(admin('set-tier')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') })
  await expect(admin('set-tier', 'unknown@example.com', 'pro')).rejects.toMatchObject({
    code: 1,
    stderr: 'There is no account unknown@example.com.\n',
  })
  const { email } = await signUpUser(platform.gatewayUrl)
  await expect(admin('set-limits', email, '{"burstLimit":0}')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/burstLimit: must be >= 1'),
  })
})
