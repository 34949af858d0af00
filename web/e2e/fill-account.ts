import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedKey, CreateKey } from '@tapeline/contracts/api-key/http'
import type { SignedIn } from '@tapeline/contracts/identity/http'
import { send, sendAgain, type TestAccount } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { RunningPlatform } from '../../tests/platform/running-platform.ts'

const TICK_MS = 1_000
const MAIL_WITHIN_MS = 60_000
const MINUTE_TICKS = 60
const DAY_MS = 86_400_000
const KEY_DAYS_LEFT = 5
/** More concurrent requests than the plan allows; the rest is throttled. */
const AT_ONCE = 60
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'SPY-USD']

type Request = { call: 'trades/list' | 'l2events/list'; body: object }
type Caller = { key: CreateKey; isClosed?: true; requestsAt: (tick: number) => Request[] }

/** Realistic clients: a steady one, one that exceeds its limits, one with invalid requests, one with a paused key. */
const CALLERS: Caller[] = [
  {
    key: { name: 'order-router', description: 'Live prices for the execution desk' },
    requestsAt: (tick) => [trades({ limit: 50 }, tick), trades({ limit: 200 }, tick + 1)],
  },
  {
    key: { name: 'backtest', description: 'Replays of the last day', expires_at: inDays(KEY_DAYS_LEFT) },
    requestsAt: (tick) =>
      Array.from({ length: tick % MINUTE_TICKS === MINUTE_TICKS / 2 ? AT_ONCE : (tick + 1) % 2 }, (_, n) =>
        l2Events({ limit: 100, depth: 10 }, n),
      ),
  },
  {
    key: { name: 'notebook', scopes: ['trades:read'] },
    requestsAt: (tick) => [
      ...(tick % 4 === 0 ? [trades({ limit: 10 }, tick)] : []),
      ...(tick % 20 === 10 ? [trades({ limit: 0 }, tick)] : []),
      ...(tick % 30 === 20 ? [l2Events({ limit: 10 }, tick)] : []),
    ],
  },
  {
    key: { name: 'importer-2025' },
    isClosed: true,
    requestsAt: (tick) => (tick % 50 === 25 ? [trades({}, tick)] : []),
  },
]

/** An admin on the pro plan, whose keys are used by real requests for this many minutes, so that pages show real data. */
export async function fillAccount(platform: RunningPlatform, minutes: number): Promise<TestAccount> {
  const account = await signUp(platform)
  const operator = callOperator(platform)
  await operator.ofUsers('set-role', account.user.id, 'admin')
  await operator.ofPlans('set-tier', account.user.id, 'pro')
  await operator.close()
  await verifyEmail(platform, account)
  const callers = await Promise.all(CALLERS.map((caller) => createCaller(platform, account, caller)))
  const answers: Promise<unknown>[] = []
  for (let tick = 0; tick < minutes * MINUTE_TICKS; tick += 1) {
    for (const requestsOfTick of callers) answers.push(...requestsOfTick(tick))
    await sleep(TICK_MS)
  }
  await Promise.all(answers)
  return account
}

async function signUp({ gatewayUrl }: RunningPlatform): Promise<TestAccount> {
  const email = `ada.${crypto.randomUUID().slice(0, 4)}@example.com`
  const password = `pw-${crypto.randomUUID()}`
  const person = { first_name: 'Ada', last_name: 'Lovelace', email, password, mobile: '+44 20 7946 0958' }
  const url = `${gatewayUrl}/api/v1/internal/user/create`
  const { status, body } = await sendAgain<{ data: SignedIn }>(url, { method: 'PUT', body: person })
  if (status >= 300) throw new Error(`signing up got ${status}`)
  return { ...body.data, email, password }
}

/** Verifies the address by the mailed link; otherwise every page shows the hint. */
async function verifyEmail({ gatewayUrl, mailUrl }: RunningPlatform, { email }: TestAccount): Promise<void> {
  const findToken = async () => {
    const { body } = await send<{ messages: { text: string }[] }>(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)
    return body.messages.flatMap(({ text }) => /verify-email\?token=(\S+)/.exec(text)?.[1] ?? [])[0]
  }
  const token = await waitUntil('the mail with the link', findToken, MAIL_WITHIN_MS)
  await sendAgain(`${gatewayUrl}/api/v1/internal/user/verify-email`, { body: { token } })
}

async function createCaller({ gatewayUrl }: RunningPlatform, { jwtToken: token }: TestAccount, caller: Caller) {
  const keys = `${gatewayUrl}/api/v1/internal/api-keys`
  const { status, body } = await sendAgain<{ data: CreatedKey }>(keys, { token, body: caller.key })
  if (status >= 300) throw new Error(`creating a key got ${status}`)
  const { apiKey, key } = body.data
  if (caller.isClosed) await sendAgain(`${keys}/${key.id}`, { method: 'PUT', token, body: { is_active: false } })
  return (tick: number) =>
    caller
      .requestsAt(tick)
      .map(({ call, body: filter }) => send(`${gatewayUrl}/api/v1/${call}`, { token: apiKey, body: filter }))
}

function trades(filter: object, n: number): Request {
  return { call: 'trades/list', body: { symbols: [SYMBOLS[n % SYMBOLS.length]], ...filter } }
}

function l2Events(filter: object, n: number): Request {
  return { call: 'l2events/list', body: { symbols: [SYMBOLS[n % SYMBOLS.length]], ...filter } }
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}
