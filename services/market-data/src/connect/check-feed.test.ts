import { startKrakenVenue } from '@tapeline/testing/venues/kraken-venue'
import { expect, test } from 'vitest'
import { findFeedProblem } from './check-feed.ts'
import { parseAddresses, parseConnect } from './parse-connect.ts'

test('a reachable venue has no problem, an unreachable one has a reason', async () => {
  const venue = await startKrakenVenue({ symbols: ['BTC/USD'] })
  const { socket, rest } = venue.addresses
  const [plan] = parseConnect('kraken:BTC-USD', parseAddresses(`kraken=${socket}|${rest}`))
  if (plan === undefined) throw new Error('no plan')
  expect(await findFeedProblem(plan)).toBeUndefined()
  await venue.stop()
  // Not the port of the venue, which another process may have by now.
  const [closed] = parseConnect('kraken:BTC-USD', parseAddresses('kraken=ws://127.0.0.1:1|http://127.0.0.1:1'))
  if (closed === undefined) throw new Error('no plan')
  expect(await findFeedProblem(closed)).toContain('ECONNREFUSED')
})
