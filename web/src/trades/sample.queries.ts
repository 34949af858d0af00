import type { Sample, SampleSymbols } from '@tapeline/contracts/market-data/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../platform.ts'

/** A sample call as the page measured it. */
export type MeasuredSample = { sample: Sample; status: number; durationMs: number }

const SAMPLE_PATH = '/api/v1/sample'
const ASK_AGAIN_MS = 5_000

/** Without a symbol the API says which there are. */
function sampleAddress(symbol: string | undefined): string {
  return symbol === undefined ? SAMPLE_PATH : `${SAMPLE_PATH}/${encodeURIComponent(symbol)}`
}

/** The symbols that anyone may read. */
export const sampleSymbolsQuery = queryOptions({
  queryKey: ['sample-symbols'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => {
    const reply = await api.send<SampleSymbols>({ path: SAMPLE_PATH, credential: 'none', signal })
    return reply.body.symbols
  },
  // Until there are some: the API may still be starting.
  refetchInterval: (query) => ((query.state.data?.length ?? 0) > 0 ? false : ASK_AGAIN_MS),
})

/** The newest public trades of a symbol, newest first, asked again while the page is looked at. */
export function sampleQuery(symbol: string | undefined, everyMs: number) {
  return queryOptions({
    queryKey: ['sample', symbol],
    enabled: symbol !== undefined,
    refetchInterval: everyMs,
    queryFn: async ({ signal }): Promise<MeasuredSample> => {
      const path = sampleAddress(symbol)
      const { body, status, durationMs } = await api.send<Sample>({ path, credential: 'none', signal })
      return { sample: body, status, durationMs }
    },
  })
}
