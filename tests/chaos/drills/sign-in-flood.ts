import { send } from '@tapeline/testing/api-client'
import { checkRadius } from '../checks/check-radius.ts'
import { allOpen, radiusOf } from './databases-away.ts'
import { check, checkThat, type Drill, type Field, pause } from '../drill.ts'
import { newAccount } from '../load.ts'
import { startVisits, type Visit } from '../visits.ts'

const GUESSERS = 24
const OTHERS = 50
const GUESSES_MIN = 50

type SignInAttempt = { status: number; retryAfter: string | null }

/** Password hashing is the most expensive computation that an anonymous caller can cause. */
export const signInFlood: Drill = {
  name: 'sign-in-flood',
  what: 'clients guess passwords as fast as possible, also that of an account whose owner signs in meanwhile',
  async run(field) {
    const { history, size } = field
    const account = await newAccount(field)
    const visits = startVisits(field, account)
    await allOpen(visits.list, size.settledWithinMs)
    const guesses: SignInAttempt[] = []
    const beganMs = Date.now()
    const isLetIn = ({ area, startMs, status }: Visit) => area === 'sign-in' && startMs > beganMs && status === 200
    const isEnough = () => guesses.length >= GUESSES_MIN && visits.list.some(isLetIn)
    await history.during('flood', 'sign-in', () => attemptFor(field, { email: account.email, guesses, isEnough }))
    const radius = radiusOf(field, ['sign-in'])
    await allOpen(visits.list, size.settledWithinMs)
    await visits.stop()
    const { startMs, endMs } = radius.fault
    const attempts = visits.list.filter((one) => one.area === 'sign-in' && one.startMs > startMs && one.endMs < endMs)
    const later = size.isTimed ? [429, 503] : [429, 503, 504]
    const hasRetryAfter = ({ status, retryAfter }: SignInAttempt) => later.includes(status) && Number(retryAfter) > 0
    const odd = guesses.filter((guess) => guess.status !== 401 && !hasRetryAfter(guess))
    const count = (list: readonly { status?: number }[], expected: number) =>
      list.filter(({ status }) => status === expected).length
    return {
      checks: [
        ...checkRadius(visits.list, [radius], size.isTimed),
        check(
          'a guess is answered with 401 or Retry-After',
          odd.slice(0, 5).map((guess) => JSON.stringify(guess)),
        ),
        checkThat(
          'a known device can sign in meanwhile',
          count(attempts, 200) > 0,
          `${attempts.length} tries, none was`,
        ),
        checkThat(`there was a flood: at least ${GUESSES_MIN}`, guesses.length >= GUESSES_MIN, `${guesses.length}`),
      ],
      figures: {
        guesses: guesses.length,
        computed: count(guesses, 401),
        knownTries: attempts.length,
        knownLetIn: count(attempts, 200),
      },
    }
  },
}

async function attemptFor(
  { platform, size }: Field,
  { email, guesses, isEnough }: { email: string; guesses: SignInAttempt[]; isEnough: () => boolean },
): Promise<void> {
  const emails = [email, ...Array.from({ length: OTHERS }, () => `${crypto.randomUUID()}@example.com`)]
  const untilMs = Date.now() + size.awayMs
  const endMs = untilMs + size.settledWithinMs
  let sent = 0
  const guesser = async () => {
    while (Date.now() < untilMs || (!isEnough() && Date.now() < endMs)) {
      sent += 1
      const url = `${platform.gatewayUrls[sent % platform.gatewayUrls.length]}/api/v1/internal/user/login`
      const body = { email: emails[sent % emails.length], password: `guess ${sent}` }
      const reply = await send(url, { body }).catch(() => undefined)
      guesses.push({ status: reply?.status ?? 0, retryAfter: reply?.headers.get('retry-after') ?? null })
      if (reply?.status !== 401) await pause(20)
    }
  }
  await Promise.all(Array.from({ length: GUESSERS }, guesser))
}
