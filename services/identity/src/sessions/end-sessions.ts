import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { type SessionEndReason, sessionsEnded } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { userVersion } from '../users/insert-account.ts'
import { findUser, lockUser, updateUser, type UserRow } from '../users/user-queries.ts'
import { endSession } from './end-session.ts'
import { endOpenSessions } from './session-queries.ts'

export const EndSessions = Type.Object(
  {
    account_id: Type.String({ format: 'uuid' }),
    /** Absent: all sessions. */
    session_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { additionalProperties: false },
)
export type EndSessions = Static<typeof EndSessions>

export type EndedSessions = { account_id: string; ended: number; version: number; effective_within_seconds?: number }
type EndDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>

/** Ends one session of an account, or all: every gateway rejects their tokens from the next request on. */
export async function endSessions(deps: EndDeps, actor: Actor, input: EndSessions): Promise<EndedSessions> {
  const { account_id, session_id } = input
  const { user, ended } = await deps.db
    .transaction()
    .execute((trx) =>
      session_id === undefined
        ? endAllSessions(trx, deps, actor, { accountId: account_id, reason: 'revoked' })
        : endOne(trx, deps, actor, { ...input, session_id }),
    )
  const isPublished = await deps.raiseVersion(userVersion(user))
  return {
    account_id,
    ended,
    version: user.version,
    ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }),
  }
}

type EndResult = { user: UserRow; ended: number }

async function endOne(
  trx: Transaction<Tables>,
  deps: EndDeps,
  actor: Actor,
  { account_id, session_id }: Required<EndSessions>,
): Promise<EndResult> {
  const change = await endSession(trx, deps, actor, { userId: account_id, sessionId: session_id, reason: 'revoked' })
  const user = existing(await findUser(trx, account_id))
  return { user, ended: change === undefined ? 0 : 1 }
}

/** Locks sessions before the user, like sign-out. Tokens issued in this second are rejected by session id. */
export async function endAllSessions(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: Actor,
  { accountId, reason }: { accountId: string; reason: SessionEndReason },
): Promise<EndResult> {
  const at = deps.now()
  const ended = await endOpenSessions(trx, accountId, { at, reason })
  const before = existing(await lockUser(trx, accountId))
  const after = { ...before, not_before: at, version: before.version + 1 }
  await updateUser(trx, after)
  const event = newEvent(sessionsEnded, {
    id: deps.newId(),
    time: at,
    subject: accountId,
    account: accountId,
    actor,
    data: {
      user_id: accountId,
      before: { not_before: before.not_before.toISOString() },
      after: { not_before: at.toISOString() },
      version: after.version,
    },
  })
  await recordEvent(trx, event, userVersion(after))
  return { user: after, ended: ended.length }
}

function existing(user: UserRow | undefined): UserRow {
  if (user === undefined) throw new AppError('account.not_found', 'There is no such account.')
  return user
}
