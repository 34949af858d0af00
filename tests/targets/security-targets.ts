import type { Target } from './target.ts'
import { listAt, numberAt } from './read-result.ts'

const TIMES_EQUAL = 0.01

export const securityTargets: readonly Target[] = [
  {
    number: 20,
    title: '10,000 mutated configurations: no 5xx, the last valid one stays in effect, rejections are published',
    command: ['run', 'verify:configs'],
    result: 'config-mutations',
    read(result) {
      const wrong = listAt(result, 'wrong').length
      const [tried, refused] = [numberAt(result, 'tried'), numberAt(result, 'refused')]
      return { figure: `${tried} tried, ${refused} rejected, ${wrong} wrong`, isMet: wrong === 0 && tried >= 10_000 }
    },
  },
  {
    number: 21,
    title: 'Sign-in flood 50/s: data p99 +≤ 20 %, a known device < 1 s, ≤ 2 hashes at once',
    command: ['load-tests/sign-in-flood.ts'],
    result: 'sign-in-flood',
    read(result) {
      const [ratio, slowest] = [numberAt(result, 'p99Ratio'), numberAt(result, 'knownDeviceMaxMs')]
      return {
        figure: `data p99 ×${ratio.toFixed(2)}, a known device at most ${(slowest / 1_000).toFixed(1)} s`,
        isMet: ratio <= 1.2 && slowest < 1_000,
      }
    },
    // One hash at a time.
    testedIn: ['services/identity/src/passwords/password-hasher.test.ts'],
  },
  {
    number: 22,
    title: 'Responses do not reveal whether an account exists: same content, response times p > 0.01 with 500 pairs',
    command: ['load-tests/sign-in-timing.ts'],
    result: 'sign-in-timing',
    read(result) {
      const rows = listAt(result, 'rows') as { call: string; pairs: number; p: number }[]
      const isMet = rows.every(({ pairs, p }) => pairs >= 500 && p > TIMES_EQUAL)
      return { figure: rows.map(({ call, p }) => `${call}: p ${p.toFixed(2)}`).join(', '), isMet }
    },
    testedIn: ['tests/attacks/20-who-has-an-account.test.ts'],
  },
  { number: 23, title: 'Every call × every role: 100 %', testedIn: ['tests/attacks/13-every-call-and-role.test.ts'] },
  {
    number: 24,
    title: '≥ 20,000 generated requests: no finding; every route is in the OpenAPI document',
    command: ['run', 'verify:schemathesis', '--', '--write'],
    result: 'schemathesis',
    read(result) {
      const [cases, isClean] = [numberAt(result, 'cases'), result['isClean'] === true]
      return {
        figure: `${cases} cases, ${isClean ? 'no findings' : 'with findings'}`,
        isMet: isClean && cases >= 20_000,
      }
    },
    testedIn: ['gateway/src/openapi/openapi.golden.test.ts'],
  },
  {
    number: 25,
    title: 'All attacks of the list fail; no canary secret appears after 10,000 requests',
    command: ['tests/attacks/measure-secrets.ts'],
    result: 'secrets',
    read(result) {
      const [requests, found] = [numberAt(result, 'requests'), numberAt(result, 'found')]
      const rows = numberAt(result['searched'], 'rows')
      return {
        figure: `${requests} requests with secrets, ${found} found in logs, files, topics, Redis and ${rows} rows`,
        isMet: requests >= 10_000 && found === 0,
      }
    },
    testedIn: ['tests/checks/attack-list.test.ts', 'tests/attacks/46-secrets-nowhere.test.ts'],
  },
  {
    number: 26,
    title: 'Security headers on 100 % of responses; Trusted Types without violations',
    testedIn: ['gateway/src/http/browser-policy.test.ts', 'web/e2e/every-page.e2e.ts'],
  },
]
