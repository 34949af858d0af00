import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { L2Record } from '../../store/record.ts'
import { BINANCE_RULE } from '../../venues/book-join.ts'
import type { BookUpdate } from '../../venues/book-messages.ts'
import type { BookRule } from '../feeds/feed.ts'
import { type BookMachine, type BookStep, createBookMachine } from './book-machine.ts'

type RuleName = 'requested' | 'streamed'
const RULES: Record<RuleName, BookRule> = {
  requested: { ...BINANCE_RULE, snapshots: 'requested' },
  streamed: { hasIds: false, snapshots: 'streamed', placeOf: () => 'next' },
}

/** A test venue: after n updates its only bid has size n. */
function venue() {
  let id = 0
  return {
    update(): BookUpdate {
      id += 1
      const time = String(1_000 + id)
      return { firstId: id, lastId: id, tsEvent: time, tsRecv: time, bids: [['1', String(id)]], asks: [] }
    },
    snapshot: () => ({
      lastUpdateId: id,
      tsEvent: String(1_000 + id),
      tsRecv: String(1_000 + id),
      bids: [['1', String(id)]] as [string, string][],
      asks: [],
      depthLimit: null,
    }),
    id: () => id,
  }
}

const action = fc.constantFrom(
  'update',
  'lost update',
  'snapshot',
  'no snapshot',
  'connection lost',
  'opened',
  'retry',
  'quiet',
)

type Run = { records: L2Record[]; machine: BookMachine }

function run(rule: RuleName, actions: readonly string[]): Run {
  const machine = createBookMachine({ rule: RULES[rule] })
  const market = venue()
  const isOpen = (): boolean => machine.phase() !== 'connecting'
  const act: Record<string, () => BookStep | undefined> = {
    opened: () => (isOpen() ? undefined : machine.opened()),
    update() {
      const update = market.update()
      return isOpen() ? machine.update(update) : undefined
    },
    'lost update'() {
      market.update()
      return undefined
    },
    snapshot: () => (isOpen() ? machine.snapshot(market.snapshot()) : undefined),
    'no snapshot': machine.snapshotFailed,
    'connection lost': () => machine.lost('connection_lost', '1'),
    retry: machine.retry,
    quiet: machine.quiet,
  }
  return { machine, records: actions.flatMap((name) => act[name]?.()?.records ?? []) }
}

test.each(['requested', 'streamed'] as const)(
  '%s snapshots: whatever happens, what is published is a book or a gap',
  (rule) => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const { records, machine } = run(rule, actions)
        let isValid = false
        let last = 0
        for (const { type, bids, tsEvent } of records) {
          if (type === 'update') expect(isValid).toBe(true)
          if (type === 'gap') expect(isValid).toBe(true)
          isValid = type !== 'gap'
          // With ids, every published update follows the previous one.
          if (type === 'update' && rule === 'requested') expect(Number(bids[0]?.[1])).toBe(last + 1)
          if (type !== 'gap') last = Number(bids[0]?.[1])
          expect(tsEvent.length).toBeGreaterThan(0)
        }
        expect(machine.phase() === 'live').toBe(isValid)
        const times = records.map(({ tsEvent }) => Number(tsEvent))
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }),
      { seed: PROPERTY_SEED, numRuns: 2_000 },
    )
  },
)

test.each(['requested', 'streamed'] as const)(
  '%s snapshots: from any state, the book becomes live when the venue responds correctly',
  (rule) => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const { machine } = run(rule, [
          ...actions,
          'connection lost',
          'opened',
          'quiet',
          'snapshot',
          'update',
          'update',
        ])
        expect(machine.phase()).toBe('live')
      }),
      { seed: PROPERTY_SEED, numRuns: 1_000 },
    )
  },
)

test('a snapshot after a gap stores when the gap began, no other record does', () => {
  const wrong = (actions: readonly string[]) => {
    let current: L2Record['gap'] = null
    return run('requested', actions).records.filter(({ type, gap }) => {
      const expected = current
      current = type === 'gap' ? gap : null
      return type !== 'gap' && gap?.fromTs !== expected?.fromTs
    })
  }
  const property = fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
    expect(wrong(actions)).toEqual([])
  })
  fc.assert(property, { seed: PROPERTY_SEED, numRuns: 1_000 })
})

test('only one snapshot is requested at a time, and after a gap only after the pause', () => {
  const machine = createBookMachine({ rule: RULES.requested })
  const market = venue()
  machine.opened()
  expect([machine.update(market.update()).wants, machine.update(market.update()).wants]).toEqual([
    'snapshot',
    'nothing',
  ])
  machine.snapshot(market.snapshot())
  market.update()
  expect(machine.update(market.update()).wants).toBe('retry')
  expect(machine.update(market.update()).wants).toBe('nothing')
  expect([machine.retry().wants, machine.retry().wants]).toEqual(['snapshot', 'nothing'])
})

test('a process that begins where another stopped publishes one gap', () => {
  const machine = createBookMachine({ rule: RULES.requested })
  expect(machine.resume({ validUntil: '1005' }, '2000').records).toMatchObject([
    { type: 'gap', tsEvent: '1005', gap: { reason: 'connector_restarted', fromTs: '1005' } },
  ])
  machine.opened()
  machine.quiet()
  expect(machine.snapshot({ ...venue().snapshot(), tsEvent: '3000' }).records).toMatchObject([
    { type: 'snapshot', tsEvent: '3000', gap: { reason: 'connector_restarted', fromTs: '1005' } },
  ])
})

test('a process that begins in a gap publishes no second one, and the gap ends with its first snapshot', () => {
  const machine = createBookMachine({ rule: RULES.requested })
  const openGap = { reason: 'connection_lost', fromTs: '1005' }
  expect(machine.resume({ openGap }, '2000').records).toEqual([])
  machine.opened()
  machine.quiet()
  expect(machine.snapshot(venue().snapshot()).records).toMatchObject([{ type: 'snapshot', gap: openGap }])
})
