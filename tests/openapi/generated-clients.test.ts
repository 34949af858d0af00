import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

// Clients generated from the OpenAPI document by other projects' generators, each tested against the real gateway.
const GENERATORS = [
  'openapi-typescript',
  'hey-api',
  'openapi-python-client',
  'openapi-generator typescript-fetch',
  'openapi-generator python',
  'openapi-generator go',
  'openapi-generator java',
]
const TIMEOUT_MS = 1_200_000
const script = join(import.meta.dirname, '../../deploy/verify/verify-openapi.ts')
const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
let report = ''

/** One setup for all: tools are installed once, and one process runs every generator written in Java. */
beforeAll(async () => {
  const { user, jwtToken } = await signUpUser(gatewayUrl)
  await setTier({ configDatabaseUrl, redisUrl }, user.id, 'pro')
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_KEY: apiKey }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...GENERATORS], { env }).catch(
    (failure: { stdout: string; stderr: string }) => failure,
  )
  report = stdout + stderr
}, TIMEOUT_MS)

test.for(GENERATORS)('%s: its client compiles and makes five calls', (name, { skip }) => {
  const [verdict = `no verdict about ${name}\n${report}`] = report
    .split(/^(?=ok {7}|FAILED {3}|skipped {2})/m)
    .filter((text) => new RegExp(`^(ok|FAILED|skipped) +${name}[ :]`).test(text))
  if (/^skipped .*(on the PATH|not installed)$/m.test(verdict)) return skip(`${verdict}\n${report}`)
  expect(verdict).toContain(`${name}: 5 calls answered`)
})
