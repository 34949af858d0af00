import type { Tier } from '@tapeline/contracts/actor'
import type { LimitsReplay, StartReplay } from '@tapeline/contracts/audit/replay'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'

const REPLAY = '/api/v1/admin/limits/replay'
const PROGRESS_REFETCH_MS = 1_000

function replayQuery(id: string) {
  return queryOptions({
    queryKey: ['limits-replay', id],
    queryFn: ({ signal }) => api.data<LimitsReplay>({ path: `${REPLAY}/${id}`, signal }),
  })
}

function isPending(replay: LimitsReplay | undefined): boolean {
  return replay === undefined || replay.state === 'queued' || replay.state === 'running'
}

/** A replay, which is read again until it is done; without an id, none. */
export function useReplay(id: string | null) {
  return useQuery({
    ...replayQuery(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isPending(state.data) ? PROGRESS_REFETCH_MS : false),
  })
}

/** Limits as entered; the server validates them. */
export type ReplayRequest = Omit<StartReplay, 'tier'> & {
  tier: { name: Tier; rateLimits: Record<string, number | string> }
}

export async function startReplay(body: ReplayRequest): Promise<LimitsReplay> {
  const replay = await api.data<LimitsReplay>({ method: 'POST', path: REPLAY, body })
  queryClient.setQueryData(replayQuery(replay.id).queryKey, replay)
  return replay
}
