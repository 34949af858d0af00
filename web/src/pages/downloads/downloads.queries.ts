import type { DataFile, FileList } from '@tapeline/contracts/market-data/files'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callMarketData } from '../../api/market-data.ts'
import { api } from '../../platform.ts'
import { followCursor, type Followed } from './files/follow-cursor.ts'

const FILES = '/api/v1/files'
const FILES_PER_PAGE = 1_000
/** Enough for a year of 27 instruments with 2 channels; beyond it, the page says that files are missing. */
const PAGES_MAX = 20

/** Days, both inclusive. */
export type Days = { first: string; last: string }
type Signal = AbortSignal

/**
 * Current files of these instruments. `isAll`: there are no other instruments, so the list is requested without a filter.
 * `isCut` in the answer: the newest files are missing. `of`: what the answer lists, while it is shown for another choice.
 */
export function filesQuery(instruments: readonly Instrument[], { first, last }: Days, isAll: boolean) {
  const names = instruments.map(({ venue, symbol }) => ({ venue, symbol }))
  return queryOptions({
    queryKey: ['files', names, first, last],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const lists: Followed<DataFile>[] = []
      for (const name of isAll ? [{}] : names) lists.push(await listFiles({ ...name, from: first, to: last }, signal))
      return {
        files: lists.flatMap(({ entries }) => entries),
        isCut: lists.some(({ isCut }) => isCut),
        of: { names, first, last },
      }
    },
  })
}

function listFiles(query: Record<string, string>, signal: Signal): Promise<Followed<DataFile>> {
  return followCursor(
    (cursor) => callMarketData<FileList>({ path: FILES, query: { ...query, limit: FILES_PER_PAGE, cursor }, signal }),
    PAGES_MAX,
  )
}

/** Downloads one sealed file as a Blob. A counted request. */
export async function fetchFile(id: string): Promise<Blob> {
  const response = await api.open({ path: `${FILES}/${encodeURIComponent(id)}`, headers: { accept: '*/*' } })
  return response.blob()
}
