import type { Tier } from './thresholds.ts'

/** An account that sends load. Its limits are never reached, except where limits are tested. */
export type Account = { id: string; email: string; password: string; tier: Tier; apiKey: string; token: string }
/** Role of an account in a journey. */
export type Group = 'readers' | 'owners' | 'crowd' | 'patient' | 'people' | 'followers'
export type Prepared = { gateways: string[]; groups: Partial<Record<Group, Account[]>> }

const PREPARED: Prepared = readPrepared()

/** Accounts of a group; throws if none was prepared, so that the journey does not start. */
export function accountsOf(group: Group): Account[] {
  const accounts = PREPARED.groups[group] ?? []
  if (accounts.length === 0) throw new Error(`there are no ${group}: run it with npm run load, which prepares accounts`)
  return accounts
}

/** The elements in turn, one per iteration. */
export function turnOf<T>(all: readonly T[], iteration: number): T {
  const one = all[iteration % all.length]
  if (one === undefined) throw new Error('no account is prepared for this iteration')
  return one
}

export function gatewayOf(iteration: number): string {
  return turnOf(PREPARED.gateways, iteration)
}

/** ACCOUNTS_FILE is prepared by `npm run load`; for read-only journeys one key in API_KEY is enough. */
function readPrepared(): Prepared {
  const { ACCOUNTS_FILE, API_KEY, GATEWAY_URL, TIER } = __ENV
  if (ACCOUNTS_FILE !== undefined && ACCOUNTS_FILE !== '') return JSON.parse(open(ACCOUNTS_FILE))
  const gateways = [GATEWAY_URL ?? 'http://127.0.0.1:3001']
  if (API_KEY === undefined || API_KEY === '') return { gateways, groups: {} }
  const tier = TIER === 'free' || TIER === 'basic' ? TIER : 'pro'
  return { gateways, groups: { readers: [{ id: '', email: '', password: '', tier, apiKey: API_KEY, token: '' }] } }
}
