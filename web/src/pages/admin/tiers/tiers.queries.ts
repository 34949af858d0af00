import type { Tier } from '@tapeline/contracts/actor'
import type { TierEdition, TierHistory } from '@tapeline/contracts/config/plans'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'

const TIERS = '/api/v1/admin/tiers'
/** Number of versions on a page of the history. */
export const HISTORY_MAX = 20

/** The documents in effect. */
export const tiersQuery = queryOptions({
  queryKey: ['admin-tiers'],
  queryFn: ({ signal }) => api.data<TierEdition>({ path: TIERS, signal }),
})

/** The documents of a version, or those in effect at a time. Past versions never change. */
export function pastTiersQuery(when: { version: number } | { at: string }) {
  return queryOptions({
    queryKey: ['admin-tiers-past', when],
    staleTime: 'version' in when ? Infinity : 0,
    queryFn: ({ signal }) => api.data<TierEdition>({ path: TIERS, query: when, signal }),
  })
}

export const tierHistoryQuery = queryOptions({
  queryKey: ['admin-tier-history'],
  queryFn: ({ signal }) => api.data<TierHistory>({ path: `${TIERS}/history`, query: { limit: HISTORY_MAX }, signal }),
})

export async function replaceTiers(body: { tiers: unknown; version: number; reason?: string }): Promise<TierEdition> {
  return tiersAre(await api.data<TierEdition>({ method: 'PUT', path: TIERS, body }))
}

/** Restores the documents of version `to` as a new version. */
export async function restoreTiers(body: { version: number; to: number }): Promise<TierEdition> {
  return tiersAre(await api.data<TierEdition>({ method: 'POST', path: `${TIERS}/undo`, body }))
}

type Settled = { tier: Tier; version: number }

/** Limits as entered; the server rejects invalid ones. */
export async function proposeLimits({
  tier,
  ...body
}: Settled & { rateLimits: Record<string, number | string> }): Promise<TierEdition> {
  return tiersAre(await api.data<TierEdition>({ method: 'PUT', path: `${TIERS}/${tier}/shadow`, body }))
}

export async function withdrawLimits({ tier, version }: Settled): Promise<TierEdition> {
  return tiersAre(
    await api.data<TierEdition>({ method: 'DELETE', path: `${TIERS}/${tier}/shadow`, query: { version } }),
  )
}

export async function enforceLimits({ tier, ...body }: Settled): Promise<TierEdition> {
  return tiersAre(await api.data<TierEdition>({ method: 'POST', path: `${TIERS}/${tier}/shadow/enforce`, body }))
}

export async function readTiersAgain(): Promise<TierEdition> {
  await queryClient.invalidateQueries({ queryKey: tiersQuery.queryKey })
  return queryClient.fetchQuery(tiersQuery)
}

async function tiersAre(edition: TierEdition): Promise<TierEdition> {
  // The answer to a change contains no account counts: the previous ones are kept.
  queryClient.setQueryData(tiersQuery.queryKey, (before) =>
    before?.accounts === undefined ? edition : { ...edition, accounts: before.accounts },
  )
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: tierHistoryQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['pricing'] }),
  ])
  return edition
}
