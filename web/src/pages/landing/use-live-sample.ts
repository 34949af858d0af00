import type { Trade } from '@tapeline/contracts/market-data/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type MeasuredSample, sampleQuery, sampleSymbolsQuery } from '../../trades/sample.queries.ts'

/** 24 calls a minute: under the throttle of samples, which counts per address. */
const ASK_EVERY_MS = 2_500
const DURATIONS_MAX = 200

export type LiveSample = {
  /** Undefined until the API said which there are. */
  symbols: readonly string[] | undefined
  symbol: string | undefined
  choose: (symbol: string) => void
  trades: readonly Trade[]
  /** The sequence that was newest in the answer before: what is above it slides in. */
  newestBefore: string | undefined
  /** How the last call went. */
  status: number | undefined
  durationMs: number | undefined
  /** All calls of this visit. */
  durationsMs: readonly number[]
  error: ApiError | undefined
  retry: () => void
}

/** The public tape of one symbol, asked again while the page is looked at. */
export function useLiveSample(): LiveSample {
  const symbols = useQuery(sampleSymbolsQuery)
  const [chosen, setChosen] = useState<string>()
  const symbol = chosen ?? symbols.data?.[0]
  const sample = useQuery(sampleQuery(symbol, ASK_EVERY_MS))
  const trades = sample.data?.sample.data ?? []
  const [durationsMs, newestBefore] = useHistory(symbol, sample.data)
  return {
    symbols: symbols.data,
    symbol,
    choose: setChosen,
    trades,
    newestBefore,
    status: sample.data?.status,
    durationMs: sample.data?.durationMs,
    durationsMs,
    error: apiErrorOf(symbols.error ?? sample.error),
    retry: () => void (symbols.isError ? symbols.refetch() : sample.refetch()),
  }
}

type Seen = {
  symbol: string | undefined
  last: MeasuredSample | undefined
  durationsMs: readonly number[]
  before?: string | undefined
}

/** How long all calls took, and which sequence was the newest before the last one. */
function useHistory(
  symbol: string | undefined,
  last: MeasuredSample | undefined,
): [readonly number[], string | undefined] {
  const [seen, setSeen] = useState<Seen>({ symbol: undefined, last: undefined, durationsMs: [] })
  if (last !== undefined && seen.last !== last) {
    const newest = last.sample.data[0]?.sequence
    const before = seen.symbol === symbol ? seen.last?.sample.data[0]?.sequence : newest
    setSeen({ symbol, last, before, durationsMs: [...seen.durationsMs, last.durationMs].slice(-DURATIONS_MAX) })
  }
  return [seen.durationsMs, seen.before]
}

function apiErrorOf(error: unknown): ApiError | undefined {
  return error instanceof ApiError ? error : undefined
}
