import type { DataFile, FileList } from '@tapeline/contracts/market-data/files'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callMarketData } from '../../api/market-data.ts'
import { api } from '../../platform.ts'

const FILES = '/api/v1/files'
const FILES_PER_PAGE = 1_000
/** Larger than any calendar needs: 5 instruments, 365 days, 2 channels. */
const PAGES_MAX = 4

/** Days, both inclusive. */
export type Days = { first: string; last: string }
type Signal = AbortSignal

/**
 * Current files of these instruments. `isAll`: there are no other instruments, so the list is requested without a filter.
 */
export function filesQuery(instruments: readonly Instrument[], { first, last }: Days, isAll: boolean) {
  const names = instruments.map(({ venue, symbol }) => ({ venue, symbol }))
  return queryOptions({
    queryKey: ['files', names, first, last],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const files: DataFile[] = []
      for (const name of isAll ? [{}] : names) {
        files.push(...(await listFiles({ ...name, from: first, to: last }, signal)))
      }
      return files
    },
  })
}

async function listFiles(query: Record<string, string>, signal: Signal): Promise<DataFile[]> {
  const files: DataFile[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const body = await callMarketData<FileList>({
      path: FILES,
      query: { ...query, limit: FILES_PER_PAGE, cursor },
      signal,
    })
    files.push(...body.data)
    if (body.next_cursor === null) break
    cursor = body.next_cursor
  }
  return files
}

/** Downloads one sealed file as a Blob. A counted request. */
export async function fetchFile(id: string): Promise<Blob> {
  const response = await api.open({ path: `${FILES}/${encodeURIComponent(id)}`, headers: { accept: '*/*' } })
  return response.blob()
}
