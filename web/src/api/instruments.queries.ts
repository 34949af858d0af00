import type { InstrumentList } from '@tapeline/contracts/market-data/http'
import { queryOptions } from '@tanstack/react-query'
import { callMarketData } from './market-data.ts'

const INSTRUMENTS_FRESH_FOR_MS = 60_000

/** The instruments of the account, in the order of the API. One counted request. */
export const instrumentsQuery = queryOptions({
  queryKey: ['instruments'],
  staleTime: INSTRUMENTS_FRESH_FOR_MS,
  queryFn: async ({ signal }) => (await callMarketData<InstrumentList>({ path: '/api/v1/instruments', signal })).data,
})
