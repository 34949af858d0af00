import { answer, Answer } from '@tapeline/contracts/answer'
import { SavedVenue, SaveVenue, VenueList } from '@tapeline/contracts/market-data/venues'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { listVenues } from './list-venues.ts'
import { saveVenue } from './save-venue.ts'

const VenueParams = Type.Object({ venue: Type.String({ minLength: 1, maxLength: 40 }) })

/** Venue connections, for administrators. */
export function addVenueRoutes(app: Server, deps: Deps): void {
  const access = { access: { role: 'admin' as const } }
  app.get('/api/v1/admin/venues', { config: access, schema: { response: { 200: Answer(VenueList) } } }, async () =>
    answer('Venues', { venues: await listVenues(deps) }),
  )
  app.put(
    '/api/v1/admin/venues/:venue',
    { config: access, schema: { params: VenueParams, body: SaveVenue, response: { 200: Answer(SavedVenue) } } },
    async (request) => {
      const saved = await saveVenue(deps, userOf(request), request.params.venue, request.body)
      return answer('Venue saved', { saved })
    },
  )
}
