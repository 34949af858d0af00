import { hash, randomBytes } from 'node:crypto'
import type { Logger } from '@tapeline/service/logger'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { AccountCache } from '../account-cache/account-cache.ts'
import type { Caller } from '../account-cache/cached-account.ts'
import type { OneTimeStore } from '../limiter/one-time-store.ts'
import { newProblem } from '../problems/problem.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { AuthFailure, Credential, PresentedRequest } from './authenticate.ts'

export type StreamTicketsDeps = {
  accounts: Pick<AccountCache, 'account' | 'findKey' | 'lookUp'>
  tokens: Pick<AccessTokens, 'find'>
  store: Pick<OneTimeStore, 'put' | 'take'>
  logger: Logger
}
/** `untilMs`: when the access token that obtained the ticket expires; Infinity: an API key obtained it. */
export type Redeemed = { caller: Caller; untilMs: number }

type TicketCaller = Pick<Caller, 'session'> & {
  account: Pick<Caller['account'], 'id'>
  key: Pick<NonNullable<Caller['key']>, 'kid'> | undefined
}

export const TICKET_LIFE_S = 30
const TICKET_BYTES = 24
const TICKET = /^[\w-]{32}$/
const IN_QUERY = /([?&])ticket=([^&#]*)&?/

const Holder = Type.Object({
  account: Type.String(),
  kid: Type.Union([Type.String(), Type.Null()]),
  session: Type.Union([Type.Object({ id: Type.String(), issuedAtS: Type.Integer() }), Type.Null()]),
  until_ms: Type.Union([Type.Integer(), Type.Null()]),
})

const invalid: AuthFailure = {
  problem: newProblem('credential.invalid', 'The ticket is not valid: it may have been used, or is older than 30 s.'),
  isWrong: true,
}
const expired: AuthFailure = {
  problem: newProblem('credential.invalid', 'The access token has expired.'),
  isWrong: false,
}
const unavailable: AuthFailure = {
  problem: newProblem('service.unavailable', 'Tickets cannot be read at the moment. Try again in a second.', 1),
  isWrong: false,
}

/** The ticket in a URL, and the URL without it; undefined: it has none. */
export function ticketIn(url: string): { ticket: string; withoutTicket: string } | undefined {
  const found = IN_QUERY.exec(url)
  if (found === null) return undefined
  return { ticket: found[2] ?? '', withoutTicket: url.replace(IN_QUERY, '$1').replace(/[?&]$/, '') }
}

/** Tickets with which a browser opens one stream, because it cannot send a credential in a header. Redis has their hash only. */
export class StreamTickets {
  private readonly deps: StreamTicketsDeps

  constructor(deps: StreamTicketsDeps) {
    this.deps = deps
  }

  /** A ticket for the caller of a request, unless the access token has expired since; rejects when Redis does not answer. */
  async issue({ account, key, session }: TicketCaller, credential: Credential): Promise<string | AuthFailure> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url')
    const claims = credential.kind === 'token' ? this.deps.tokens.find(credential.text) : undefined
    if (credential.kind === 'token' && claims === undefined) return expired
    const holder: Static<typeof Holder> = {
      account: account.id,
      kid: key?.kid ?? null,
      session: session ?? null,
      until_ms: claims === undefined ? null : claims.exp * 1_000,
    }
    await this.deps.store.put(nameOf(ticket), JSON.stringify(holder), TICKET_LIFE_S * 1_000)
    return ticket
  }

  /** Takes the ticket: a second call with it fails. */
  async redeem(ticket: string, request: PresentedRequest): Promise<Redeemed | AuthFailure> {
    if (!TICKET.test(ticket)) return invalid
    try {
      const text = await this.deps.store.take(nameOf(ticket))
      return text === undefined ? invalid : ((await this.read(text, request)) ?? invalid)
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'stream tickets: Redis or a record is unavailable; the caller gets 503')
      return unavailable
    }
  }

  private async read(text: string, { throttleAddress }: PresentedRequest): Promise<Redeemed | undefined> {
    const holder: unknown = JSON.parse(text)
    if (!Value.Check(Holder, holder)) return undefined
    const { accounts } = this.deps
    const account = accounts.account(holder.account)
    const { session, until_ms: untilMs } = holder
    if (holder.kid === null) {
      if (session === null || untilMs === null) return undefined
      return { caller: { account, key: undefined, session }, untilMs }
    }
    const key = accounts.findKey(holder.kid) ?? (await accounts.lookUp(holder.kid, throttleAddress))
    if (key?.record.value?.account_id !== holder.account) return undefined
    return { caller: { account, key, session: undefined }, untilMs: Infinity }
  }
}

function nameOf(ticket: string): string {
  return `stream-ticket:${hash('sha256', ticket)}`
}
