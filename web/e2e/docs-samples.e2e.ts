import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { differences } from '@tapeline/testing/answers/differences'
import { findPython, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../../tests/platform/running-platform.ts'
import { recordSample } from './record-sample.ts'
import {
  fencedBlocks,
  type ShellVariables,
  recordedAnswer,
  runCurl,
  runCommandLine,
  runPython,
  runTypeScript,
  sampleFiles,
  samplesShown,
} from './run-sample.ts'

const { gatewayUrl, configDatabaseUrl, redisUrl } = runningPlatform()
const LANGUAGES = ['en', 'es', 'fr']
const isRecording = process.env['GOLDEN_UPDATE'] === '1'
/** A timestamp, which every record and the limits contain. */
const SOME_RESULT = /\d{4}-\d{2}-\d{2}T/
const curls = sampleFiles('sh')
/** One request per hour, already used by the preparation, so that the next one exceeds the limit. */
const AT_THE_LIMIT = new Set(['too-many'])

let shell: ShellVariables
let limitedShell: ShellVariables
let python: string | undefined

beforeAll(async () => {
  python = await findPython()
  shell = await shellOf((id) => setTier({ configDatabaseUrl, redisUrl }, id, 'pro'))
  limitedShell = await shellOf((id) => setLimits({ configDatabaseUrl, redisUrl }, id, { requestsPerHour: 1 }))
})

async function shellOf(prepare: (accountId: string) => Promise<void>): Promise<ShellVariables> {
  const { user, email, password, jwtToken } = await signUpUser(gatewayUrl)
  await prepare(user.id)
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

test.each(LANGUAGES)('every sample is shown in %s, and no curl command exists outside samples', (language) => {
  const files = new Set(['sh', 'ts', 'py', 'cli'].flatMap((extension) => sampleFiles(extension)))
  expect(new Set(samplesShown(language))).toEqual(files)
  expect(fencedBlocks(language).filter((code) => code.includes('curl'))).toEqual([])
})

test.each(curls)('the curl block %s is answered as the documentation shows it', async (name) => {
  const answered = await runCurl(name, AT_THE_LIMIT.has(name) ? limitedShell : shell)
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

test.each(sampleFiles('ts'))('the TypeScript of %s runs unchanged', async (name) => {
  expect(await runTypeScript(name, shell)).toMatch(SOME_RESULT)
})

test.for(sampleFiles('py'))('the Python of %s runs unchanged', async (name, { skip }) => {
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  expect(await runPython(python, name, shell)).toMatch(SOME_RESULT)
})

test.each(sampleFiles('cli'))('the command of %s runs unchanged', async (name) => {
  expect(await runCommandLine(name, shell)).toMatch(SOME_RESULT)
})
