import type { Sample, SampleSymbols } from '@tapeline/contracts/market-data/http'
import { useEffect, useState } from 'react'
import { pause } from '../pause.ts'
import { api } from '../platform.ts'

export type Lane = { symbol: string; trades: Sample['data'] }
type PublicTrades = { lanes: readonly Lane[]; hasFailed: boolean }

const SAMPLE_PATH = '/api/v1/sample'
const LANES_MAX = 8
/** Four lanes send 24 calls a minute, well below the throttle of samples. */
const ASK_EVERY_MS = 10_000
/** Pause between attempts until there are symbols, because the API may still be starting. */
const RETRY_MS = 5_000

/** The newest trades of every symbol that anyone may read, newest first, loaded while the page is visible. */
export function usePublicTrades(): PublicTrades {
  const [trades, setTrades] = useState<PublicTrades>({ lanes: [], hasFailed: false })
  useEffect(() => {
    const controller = new AbortController()
    void follow(controller.signal, setTrades)
    return () => controller.abort()
  }, [])
  return trades
}

async function follow(signal: AbortSignal, show: (trades: PublicTrades) => void): Promise<void> {
  let lanes: Lane[] = []
  while (!signal.aborted) {
    if (document.visibilityState === 'visible') {
      if (lanes.length === 0) {
        const symbols = await symbolsNow(signal)
        lanes = (symbols ?? []).slice(0, LANES_MAX).map((symbol) => ({ symbol, trades: [] }))
        if (!signal.aborted) show({ lanes, hasFailed: symbols === undefined })
      }
      lanes = await Promise.all(lanes.map((lane) => laneNow(lane, signal)))
      if (!signal.aborted && lanes.length > 0) show({ lanes, hasFailed: false })
    }
    await pause(lanes.length === 0 ? RETRY_MS : ASK_EVERY_MS, signal)
  }
}

async function symbolsNow(signal: AbortSignal): Promise<string[] | undefined> {
  try {
    return (await api.send<SampleSymbols>({ path: SAMPLE_PATH, credential: 'none', signal })).body.symbols
  } catch {
    return undefined
  }
}

/** Unchanged if there is no answer. */
async function laneNow(lane: Lane, signal: AbortSignal): Promise<Lane> {
  try {
    const path = `${SAMPLE_PATH}/${encodeURIComponent(lane.symbol)}`
    return { ...lane, trades: (await api.send<Sample>({ path, credential: 'none', signal })).body.data }
  } catch {
    return lane
  }
}
