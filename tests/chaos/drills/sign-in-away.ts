import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { servedStatuses } from '../checks/check-answers.ts'
import { check, checkThat, type Drill, type Field, pause } from '../drill.ts'

const READY_WITHIN_MS = 60_000
const SERVERS = ['kafka', 'redis'] as const
const BETWEEN_MS = 200
/** Bound in the long form; the short form runs on busy machines. */
const AT_ONCE_MS = 5_000
const AFTERWARDS_MS = 2_000
const TRIES_MIN = 3
const USER = '/api/v1/internal/user'
const SUBJECT = 'Set a new password'

type Entry = { jwtToken: string }
/** Without a status there was no complete response. */
type Try = { server: string; ms: number; status?: number; retryAfter?: string | null; token?: string }

/** A sign-in during an outage succeeds or gets a Retry-After; requested mails arrive later, once. */
export const signInAway: Drill = {
  name: 'sign-in-away',
  what: 'no broker, then no Redis, while users sign in and request a new password',
  async run(field) {
    const { platform, history, size } = field
    const tries: Try[] = []
    const applicants: TestAccount[] = []
    const sessionsValid: boolean[] = []
    const mailsMax: number[] = []
    for (const server of SERVERS) {
      const signUp = () => signUpUser(platform.gatewayUrl)
      const account = await waitUntil('sign-up works', signUp, READY_WITHIN_MS)
      applicants.push(account)
      await history.during('down', server, async () => {
        await platform.kill(server)
        mailsMax.push(1 + (await requestPasswordReset(field, account)))
        tries.push(...(await signInFor(field, { server, account, forMs: size.awayMs })))
        await platform.restart(server)
      })
      sessionsValid.push(await isLetIn(field, tries.findLast(({ token }) => token !== undefined)?.token))
      await waitUntil('the mail has arrived', async () => (await countMails(field, account)) > 0, size.settledWithinMs)
    }
    await pause(AFTERWARDS_MS)
    const mails = await Promise.all(applicants.map((account) => countMails(field, account)))
    return {
      checks: [...checksOf(tries, size.isTimed), ...afterwards({ mails, mailsMax, sessionsValid })],
      figures: { tries: tries.length, letIn: tries.filter(({ status }) => status === 200).length },
    }
  },
}

function checksOf(tries: readonly Try[], isTimed: boolean) {
  const hung = tries.filter(({ status }) => status === undefined)
  const slow = isTimed ? tries.filter(({ ms }) => ms > AT_ONCE_MS) : []
  const isLater = ({ status, retryAfter }: Try) => status === 503 && Number(retryAfter) > 0
  const others = tries.filter((one) => !servedStatuses({ isTimed }).includes(one.status ?? 0) && !isLater(one))
  const few = SERVERS.filter((server) => tries.filter((one) => one.server === server).length < TRIES_MIN)
  return [
    check('no sign-in hangs', [...hung, ...slow].map(textOf)),
    check('a sign-in is answered with 200, or with 503 and Retry-After', others.map(textOf)),
    check(`there were sign-ins: at least ${TRIES_MIN} without each`, few),
  ]
}

type Afterwards = { mails: readonly number[]; mailsMax: readonly number[]; sessionsValid: readonly boolean[] }

function afterwards({ mails, mailsMax, sessionsValid }: Afterwards) {
  const isOnce = mails.every((count, n) => count >= 1 && count <= (mailsMax[n] ?? 1))
  return [
    checkThat('each requested mail has arrived once', isOnce, mails.join(', ')),
    checkThat(
      'a session that was begun during the outage stays valid',
      sessionsValid.every(Boolean),
      sessionsValid.join(', '),
    ),
  ]
}

function textOf({ server, status, retryAfter, ms }: Try): string {
  return `without ${server}: ${status ?? 'no answer'} after ${Math.round(ms)} ms, Retry-After ${retryAfter ?? 'none'}`
}

type SigningIn = { server: string; account: TestAccount; forMs: number }

async function signInFor({ platform }: Field, { server, account, forMs }: SigningIn): Promise<Try[]> {
  const { email, password } = account
  const tries: Try[] = []
  const untilMs = performance.now() + forMs
  while (performance.now() < untilMs || tries.length < TRIES_MIN) {
    const startMs = performance.now()
    const signIn = send<{ data?: Entry }>(`${platform.gatewayUrl}${USER}/login`, { body: { email, password } })
    const reply = await signIn.catch(() => undefined)
    const one: Try = { server, ms: performance.now() - startMs }
    if (reply !== undefined) Object.assign(one, { status: reply.status, retryAfter: reply.headers.get('retry-after') })
    if (reply?.body.data !== undefined) one.token = reply.body.data.jwtToken
    tries.push(one)
    await pause(BETWEEN_MS)
  }
  return tries
}

/** Clients respect Retry-After. Returns the number of earlier requests that may have been accepted, without an answer. */
async function requestPasswordReset({ platform }: Field, { email }: TestAccount): Promise<number> {
  let unsure = 0
  const requestReset = async () => {
    const url = `${platform.gatewayUrl}${USER}/forgot-password`
    const reply = await send(url, { body: { email } }).catch(() => undefined)
    if (reply?.status !== 200 && reply?.status !== 503) unsure += 1
    return reply?.status === 200
  }
  await waitUntil('a new password can be requested', requestReset, READY_WITHIN_MS)
  return unsure
}

/** A gateway that has just reconnected to Redis may still answer with Retry-After. */
async function isLetIn({ platform }: Field, token: string | undefined): Promise<boolean> {
  if (token === undefined) return true
  const checkSession = async () => {
    const { status } = await send(`${platform.gatewayUrl}${USER}/sessions`, { token })
    return status === 503 ? undefined : { isIn: status === 200 }
  }
  return (await waitUntil('the session is checked', checkSession, READY_WITHIN_MS)).isIn
}

async function countMails({ platform }: Field, { email }: TestAccount): Promise<number> {
  const url = `${platform.mailUrl}/messages?to=${encodeURIComponent(email)}`
  const { messages } = (await send<{ messages: { subject: string }[] }>(url)).body
  return messages.filter(({ subject }) => subject === SUBJECT).length
}
