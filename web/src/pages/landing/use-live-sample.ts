import type { Trade } from '@tapeline/contracts/market-data/http'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { sampleQuery, sampleSymbolsQuery } from '../../trades/sample.queries.ts'

/** 24 calls a minute: under the throttle of samples, which counts per address. */
const ASK_EVERY_MS = 2_500
const DURATIONS_MAX = 200

export type LiveSample = {
  symbols: readonly string[]
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
  const durationsMs = useDurations(sample.data)
  const failed = symbols.error ?? sample.error
  return {
    symbols: symbols.data ?? [],
    symbol,
    choose: setChosen,
    trades,
    newestBefore: useNewestBefore(symbol, trades[0]?.sequence),
    status: sample.data?.status,
    durationMs: sample.data?.durationMs,
    durationsMs,
    error: failed instanceof ApiError ? failed : undefined,
    retry: () => void (symbols.isError ? symbols.refetch() : sample.refetch()),
  }
}

function useDurations(measured: { durationMs: number } | undefined): readonly number[] {
  const [durations, setDurations] = useState<{ last: object | undefined; all: readonly number[] }>({
    last: undefined,
    all: [],
  })
  useEffect(() => {
    if (measured === undefined) return
    setDurations(({ last, all }) =>
      last === measured
        ? { last, all }
        : { last: measured, all: [...all, measured.durationMs].slice(-DURATIONS_MAX) },
    )
  }, [measured])
  return durations.all
}

function useNewestBefore(symbol: string | undefined, newest: string | undefined): string | undefined {
  const [seen, setSeen] = useState<{ symbol: string | undefined; newest: string | undefined; before: string | undefined }>({
    symbol,
    newest,
    before: newest,
  })
  if (seen.symbol !== symbol || seen.newest !== newest) {
    const isSameSymbol = seen.symbol === symbol
    setSeen({ symbol, newest, before: isSameSymbol ? (seen.newest ?? newest) : newest })
  }
  return seen.before
}
