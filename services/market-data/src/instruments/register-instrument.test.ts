import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { listInstruments } from './list-instruments.ts'
import { registerInstrument } from './register-instrument.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
afterAll(drop)

test('a dated future keeps its terms exactly, and registering it again changes nothing', async () => {
  const terms = {
    kind: 'dated',
    tick: '0.10',
    lot: '1',
    multiplier: '100',
    aliases: ['BTCUSD_240927', 'BTCU24'],
    validFrom: new Date('2024-03-29T08:00:00Z'),
    validTo: new Date('2024-09-27T08:00:00Z'),
  } as const
  const spec = {
    venue: 'binance',
    symbol: 'BTC-USD-20240927',
    venueSymbol: 'BTCUSD_240927',
    base: 'BTC',
    quote: 'USD',
    sizeUnit: 'contract',
    tsEventPrecision: 'ms',
    ...terms,
  } as const
  const ids = [await registerInstrument(deps.db, spec), await registerInstrument(deps.db, { ...spec, tick: '9' })]
  expect(ids[0]).toBe(ids[1])
  const { data } = await listInstruments(deps, someUser({ tier: 'pro' }), 'r')
  expect(data.find(({ symbol }) => symbol === 'BTC-USD-20240927')).toMatchObject({
    kind: 'dated',
    tick: '0.1',
    lot: '1',
    multiplier: '100',
    aliases: ['BTCUSD_240927', 'BTCU24'],
    valid_from: '2024-03-29T08:00:00.000Z',
    valid_to: '2024-09-27T08:00:00.000Z',
  })
})
