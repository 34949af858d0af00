import type { SavedVenue, SaveVenue, Venue, VenueList } from '@tapeline/contracts/market-data/venues'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'

const VENUES = '/api/v1/admin/venues'
/** Processes report the state of a connection every 2 s. */
const ASK_EVERY_MS = 2_000

export const venuesQuery = queryOptions({
  queryKey: ['admin-venues'],
  refetchInterval: ASK_EVERY_MS,
  queryFn: async ({ signal }) => (await api.data<VenueList>({ path: VENUES, signal })).venues,
})

export async function saveVenue(venue: string, body: SaveVenue): Promise<Venue> {
  const { saved } = await api.data<SavedVenue>({ method: 'PUT', path: `${VENUES}/${venue}`, body })
  await queryClient.invalidateQueries({ queryKey: venuesQuery.queryKey })
  return saved
}
