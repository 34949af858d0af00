import type { UserActor } from '@tapeline/contracts/actor'
import { ACCESS_TOKEN_LIFE_SECONDS } from '@tapeline/contracts/identity/access-token'
import { AppError } from '@tapeline/service/app-error'
import { someUser } from '@tapeline/testing/actors'
import fc from 'fast-check'
import type { Clock } from './deps.fixture.ts'
import type { Deps } from '../src/deps.ts'
import { changePassword } from '../src/passwords/change-password.ts'
import { getAccountRecord } from '../src/users/get-account-record.ts'
import { logIn } from '../src/sessions/log-in.ts'
import { logOut } from '../src/sessions/log-out.ts'
import { refreshSession } from '../src/sessions/refresh-session.ts'

const anonymous = { kind: 'anonymous' } as const
const GRACE_MS = 5_000
const HOUR_MS = 3_600_000
const LIFE_MS = { idle: 12 * HOUR_MS, whole: 720 * HOUR_MS, access: ACCESS_TOKEN_LIFE_SECONDS * 1_000 }

/** The tokens held by a user and by a thief, with their expected state. */
type ModelSession = {
  id: string
  isRemembered: boolean
  createdMs: number
  expiresMs: number
  isEnded: boolean
  /** Oldest first; all but the last were used, at that time. */
  refreshTokens: { text: string; usedMs: number | undefined }[]
  accessTokens: { issuedMs: number }[]
}
export type Model = { password: string; passwords: number; sessions: ModelSession[] }
export type Real = { deps: Deps; clock: Clock; userId: string; email: string }
type Command = fc.AsyncCommand<Model, Real>

/** Undefined: rejected as expected. */
async function refusedBy<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === code) return undefined
    throw error
  }
}

const isAlive = (session: ModelSession, nowMs: number) => !session.isEnded && session.expiresMs > nowMs

const expiryOf = ({ isRemembered, createdMs }: Pick<ModelSession, 'isRemembered' | 'createdMs'>, nowMs: number) =>
  isRemembered ? createdMs + LIFE_MS.whole : Math.min(createdMs + LIFE_MS.whole, nowMs + LIFE_MS.idle)

function expectSame(what: string, is: unknown, should: unknown): void {
  if (is !== should) throw new Error(`${what}: is ${String(is)}, should be ${String(should)}`)
}

/** Checks every access token ever issued as a gateway does: against the account's record. */
async function checkAccessTokens(model: Model, { deps, clock, userId }: Real): Promise<void> {
  const { not_before, ended_session_ids } = await getAccountRecord(deps, userId)
  for (const session of model.sessions) {
    for (const { issuedMs } of session.accessTokens) {
      if (clock.nowMs >= issuedMs + LIFE_MS.access) continue
      const isOpen = Math.floor(issuedMs / 1_000) >= not_before && !ended_session_ids.includes(session.id)
      expectSame(`access token of session ${session.id}`, isOpen, !session.isEnded)
    }
  }
}

const actorOf = ({ userId }: Real, sessionId: string): UserActor => ({ ...someUser({ userId }), sessionId })

/** A command about one of the sessions, selected by `at`. */
function ofOneSession(
  name: string,
  at: number,
  run: (session: ModelSession, model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: ({ sessions }) => sessions.length > 0,
    async run(model, real) {
      const session = model.sessions.at(-1 - (at % model.sessions.length))
      if (session !== undefined) await run(session, model, real)
      await checkAccessTokens(model, real)
    },
    toString: () => `${name}(${at})`,
  }
}

const signIn = (isRemembered: boolean, isWrong: boolean): Command => ({
  check: () => true,
  async run(model, real) {
    const { deps, clock, email } = real
    const password = isWrong ? `${model.password}x` : model.password
    const signedIn = await refusedBy(
      'login.failed',
      logIn(deps, anonymous, { email, password, remember_me: isRemembered }),
    )
    expectSame('sign-in', signedIn !== undefined, !isWrong)
    if (signedIn !== undefined) {
      const begun = { isRemembered, createdMs: clock.nowMs }
      model.sessions.push({
        ...begun,
        id: signedIn.sessionId,
        expiresMs: expiryOf(begun, clock.nowMs),
        isEnded: false,
        refreshTokens: [{ text: signedIn.refreshToken, usedMs: undefined }],
        accessTokens: [{ issuedMs: clock.nowMs }],
      })
    }
    // Clears the counts: sign-in delays have their own tests.
    await deps.tries.forget(email)
    await checkAccessTokens(model, real)
  },
  toString: () => `signIn(${isRemembered ? 'remembered' : 'for this browser session'}${isWrong ? ', wrong' : ''})`,
})

/** Refreshes with any token of the session, the newest or a used one. */
const refresh = (at: number, age: number): Command =>
  ofOneSession(`refresh ${age} before the newest`, at, async (session, _model, { deps, clock }) => {
    const { refreshTokens } = session
    const token = refreshTokens[Math.max(0, refreshTokens.length - 1 - age)]
    if (token === undefined) return
    const successor = refreshTokens[refreshTokens.indexOf(token) + 1]
    const wasAlive = isAlive(session, clock.nowMs)
    const isInGrace = token.usedMs !== undefined && clock.nowMs - token.usedMs <= GRACE_MS
    const refreshed = await refusedBy(
      'refresh_token.invalid',
      refreshSession(deps, anonymous, { refreshToken: token.text }),
    )
    expectSame('refresh', refreshed !== undefined, wasAlive && (token.usedMs === undefined || isInGrace))
    if (refreshed === undefined) {
      if (wasAlive) session.isEnded = true
      return
    }
    if (successor !== undefined) expectSame('successor in the grace', refreshed.refreshToken, successor.text)
    else {
      token.usedMs = clock.nowMs
      refreshTokens.push({ text: refreshed.refreshToken, usedMs: undefined })
      session.expiresMs = expiryOf(session, clock.nowMs)
    }
    session.accessTokens.push({ issuedMs: clock.nowMs })
  })

const signOut = (at: number): Command =>
  ofOneSession('signOut', at, async (session, _model, real) => {
    await logOut(real.deps, actorOf(real, session.id))
    session.isEnded = true
  })

const changeThePassword = (at: number, isWrong: boolean): Command =>
  ofOneSession(`changePassword${isWrong ? ' with a wrong one' : ''}`, at, async (session, model, real) => {
    if (!isAlive(session, real.clock.nowMs)) return
    const newPassword = `password number ${(model.passwords += 1)}`
    const currentPassword = isWrong ? `${model.password}x` : model.password
    const actor = actorOf(real, session.id)
    const changed = await refusedBy(
      'password.wrong',
      changePassword(real.deps, actor, { currentPassword, newPassword }),
    )
    expectSame('change of the password', changed !== undefined, !isWrong)
    await real.deps.tries.forget(real.email)
    if (changed === undefined) return
    model.password = newPassword
    for (const other of model.sessions) if (other !== session) other.isEnded = true
  })

const wait = (ms: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.clock.nowMs += ms
    await checkAccessTokens(model, real)
  },
  toString: () => `wait(${ms} ms)`,
})

/** Counted from the newest: most of the older ones have ended. */
const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 3)
const someWait = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(1, 1_000, GRACE_MS - 1_000, GRACE_MS, GRACE_MS + 1) },
  { weight: 2, arbitrary: fc.constantFrom(60_000, LIFE_MS.access - 1, LIFE_MS.access, HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(LIFE_MS.idle - 1, LIFE_MS.idle, LIFE_MS.whole) },
)

const someSignIn = fc
  .tuple(fc.boolean(), fc.constantFrom(false, false, true))
  .map(([isRemembered, isWrong]) => signIn(isRemembered, isWrong))
const someRefresh = fc.tuple(which, fc.constantFrom(0, 0, 1, 1, 2)).map(([at, age]) => refresh(at, age))
const someChange = fc
  .tuple(which, fc.constantFrom(false, false, true))
  .map(([at, isWrong]) => changeThePassword(at, isWrong))
const someStep = someWait.map(wait)

/** Actions of users and thieves in random order; repeated entries occur more often. */
export const sessionCommands = (maxCommands: number) => {
  const often = [someRefresh, someStep, someRefresh, someStep, someRefresh, someSignIn, someSignIn]
  return fc.commands([...often, which.map(signOut), someChange], { maxCommands, size: 'max' })
}
