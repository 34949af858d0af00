import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

// Clients that others generate from the document, each against the gateway that the document describes.
const GENERATORS = [
  'openapi-typescript',
  'hey-api',
  'openapi-python-client',
  'openapi-generator typescript-fetch',
  'openapi-generator python',
  'openapi-generator go',
  'openapi-generator java',
]
const TIMEOUT_MS = 600_000
const script = join(import.meta.dirname, '../../deploy/verify/verify-openapi.ts')
const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
let apiKey = ''

beforeAll(async () => {
  const { user, jwtToken } = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, user.id, 'pro')
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
})

test.for(GENERATORS)(
  '%s: its client compiles and makes five calls',
  { timeout: TIMEOUT_MS },
  async (name, { skip }) => {
    const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_KEY: apiKey }
    const { stdout } = await promisify(execFile)(process.execPath, [script, name], { env }).catch(
      (failure: { stdout: string }) => failure,
    )
    if (/FAILED +install|^skipped/m.test(stdout)) return skip(`${name} cannot be installed on this machine`)
    expect(stdout).toContain(`ok       ${name}: 5 calls answered`)
  },
)
