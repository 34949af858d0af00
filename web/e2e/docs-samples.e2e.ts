import { createKeyFor, send, signUpSomebody } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { recordSample } from './record-sample.ts'
import {
  type Answered,
  differences,
  fencedBlocks,
  type ReadersShell,
  recordedAnswer,
  runCurl,
  runProgram,
  sampleFiles,
  samplesShown,
} from './run-sample.ts'

const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
const LANGUAGES = ['en', 'es', 'fr']
const isRecording = process.env['GOLDEN_UPDATE'] === '1'
const shown = new Set(samplesShown('en'))
const curls = sampleFiles('sh')
/** Free: ten requests a minute, so that one of them soon meets the limit. */
const OF_A_FREE_ACCOUNT = new Set(['too-many'])

let shell: ReadersShell
let freeShell: ReadersShell

beforeAll(async () => {
  shell = await shellOf('pro')
  freeShell = await shellOf('free')
})

async function shellOf(tier: string): Promise<ReadersShell> {
  const { user, email, password, jwtToken } = await signUpSomebody(gatewayUrl)
  if (tier !== 'free') await setTier({ configDatabaseUrl, redisUrl }, user.id, tier)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const page = await send<{ next_cursor: string }>(`${gatewayUrl}/api/v1/trades/list`, {
    token: apiKey,
    body: { venues: ['sim'], symbols: ['ETH-USDT'], limit: 1 },
  })
  return {
    TAPELINE_URL: gatewayUrl,
    TAPELINE_KEY: apiKey,
    TAPELINE_EMAIL: email,
    TAPELINE_PASSWORD: password,
    TAPELINE_TOKEN: jwtToken,
    NEXT_CURSOR: page.body.next_cursor,
  }
}

test.each(LANGUAGES)('every sample is shown in %s, and no curl stands outside of the samples', (language) => {
  const files = new Set(['sh', 'ts', 'py'].flatMap((extension) => sampleFiles(extension)))
  expect(new Set(samplesShown(language))).toEqual(files)
  expect(fencedBlocks(language).filter((code) => code.includes('curl'))).toEqual([])
})

test.each(curls)('the curl block %s is answered as the documentation shows it', async (name) => {
  const answered = await answerOf(name)
  if (isRecording && recordedAnswer(name) !== undefined) recordSample(name, answered)
  const recorded = recordedAnswer(name)
  if (recorded === undefined) {
    expect(answered.status, JSON.stringify(answered.body)).toBeLessThan(name === 'no-key' ? 500 : 300)
    return
  }
  expect(answered.status, JSON.stringify(answered.body)).toBe(recorded.status)
  expect(differences(recorded.body, answered.body)).toEqual([])
  expect([...recorded.headers.keys()].filter((header) => !answered.headers.has(header))).toEqual([])
})

async function answerOf(name: string): Promise<Answered> {
  if (!OF_A_FREE_ACCOUNT.has(name)) return runCurl(name, shell)
  let answered: Answered | undefined
  await waitUntil('the limit is met', async () => {
    answered = await runCurl(name, freeShell)
    return answered.status === 429
  })
  if (answered === undefined) throw new Error('Nothing was answered.')
  return answered
}

test.each(sampleFiles('ts'))('the TypeScript of %s runs as it stands', async (name) => {
  expect(shown).toContain(name)
  expect(await runProgram(name, 'ts', shell)).toMatch(/\d{4}-\d{2}-\d{2}T/)
})

test.each(sampleFiles('py'))('the Python of %s runs as it stands', async (name) => {
  expect(await runProgram(name, 'py', shell)).toMatch(/\d{4}-\d{2}-\d{2}T/)
})
