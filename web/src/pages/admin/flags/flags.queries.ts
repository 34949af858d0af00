import type { AdminFlag, Affected, CreateFlag, FlagHistory, UpdateFlag } from '@tapeline/contracts/config/flags'
import type { Role } from '@tapeline/contracts/actor'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'

const FLAGS = '/api/v1/admin/feature-flags'
/** Polling interval, because other users change flags as well. */
const FLAGS_REFETCH_MS = 10_000
/** The number of accounts changes slowly. */
const REACH_FRESH_FOR_MS = 5 * 60_000

export const flagsQuery = queryOptions({
  queryKey: ['admin-flags'],
  refetchInterval: FLAGS_REFETCH_MS,
  queryFn: ({ signal }) => api.data<AdminFlag[]>({ path: FLAGS, signal }),
})

export function flagHistoryQuery(flagId: string) {
  return queryOptions({
    queryKey: ['admin-flag-history', flagId],
    queryFn: ({ signal }) => api.data<FlagHistory>({ path: `${FLAGS}/${flagId}/history`, signal }),
  })
}

/** How many accounts a flag reaches, or would reach. */
export function reachQuery(reach: { flag_key: string; role: Role; rollout_percent: number }) {
  return queryOptions({
    queryKey: ['admin-flag-reach', reach],
    staleTime: REACH_FRESH_FOR_MS,
    queryFn: ({ signal }) => api.data<Affected>({ path: `${FLAGS}/affected`, query: reach, signal }),
  })
}

export async function createFlag(body: CreateFlag): Promise<AdminFlag> {
  const flag = await api.data<AdminFlag>({ method: 'POST', path: FLAGS, body })
  await flagsChanged()
  return flag
}

export async function updateFlag(body: UpdateFlag): Promise<AdminFlag> {
  const flag = await api.data<AdminFlag>({ method: 'PATCH', path: FLAGS, body })
  await flagsChanged()
  return flag
}

export async function undoFlag(flagId: string, version: number): Promise<AdminFlag> {
  const flag = await api.data<AdminFlag>({ method: 'POST', path: `${FLAGS}/${flagId}/undo`, body: { version } })
  await flagsChanged()
  return flag
}

/** Updates the switch optimistically; reverts it if the server rejects the change. */
export async function showSwitched(flagId: string, enabled: boolean): Promise<() => void> {
  await queryClient.cancelQueries({ queryKey: flagsQuery.queryKey })
  const set = (value: boolean): void =>
    void queryClient.setQueryData(flagsQuery.queryKey, (flags) =>
      flags?.map((flag) => (flag.id === flagId ? { ...flag, enabled: value } : flag)),
    )
  set(enabled)
  return () => set(!enabled)
}

/** The flag's current state on the server; undefined if it was removed. */
export async function readFlagAgain(flagId: string): Promise<AdminFlag | undefined> {
  await flagsChanged()
  const flags = await queryClient.fetchQuery(flagsQuery)
  return flags.find(({ id }) => id === flagId)
}

async function flagsChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['admin-flag-history'] }),
  ])
}
