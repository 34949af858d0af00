import { expect, test } from 'vitest'
import type { ClientRequest } from '../history.ts'
import type { Visit } from '../visits.ts'
import { type Loss, recoveriesOf } from './recovery.ts'

const lossAt = (killedMs: number, name: string, kind: Loss['kinds'][number]): Loss => ({
  names: [name],
  kinds: [kind],
  killedMs,
  restartedMs: killedMs + 400,
  endMs: killedMs + 900,
})
const requestAt = (startMs: number, status?: number): ClientRequest => ({
  account: 'a',
  startMs,
  endMs: startMs + 10,
  ...(status === undefined ? {} : { status }),
})
const visit = (startMs: number, status: number): Visit => ({ area: 'usage', startMs, endMs: startMs + 20, status })

test('a recovery lasts from the kill to the end of the last request that failed, for data and for any part of the API', () => {
  const load = [requestAt(990, 200), requestAt(1_000, 503), requestAt(1_200), requestAt(1_300, 200)]
  expect(recoveriesOf([lossAt(1_000, 'kafka-1', 'broker')], load, [visit(1_500, 504), visit(1_600, 200)])).toEqual([
    { lost: 'broker', kills: 1, failed: 2, sent: 4, dataMs: 210, anyMs: 520, doors: ['usage'] },
  ])
})

test('parts of one kind share a row with the longest recovery; failures of another loss are not included', () => {
  const losses = [
    lossAt(1_000, 'gateway', 'gateway'),
    lossAt(3_000, 'audit', 'service'),
    lossAt(5_000, 'gateway-2', 'gateway'),
  ]
  const load = [requestAt(1_100, 503), requestAt(3_700, 503), requestAt(5_300, 503)]
  expect(recoveriesOf(losses, load, []).map(({ lost, kills, dataMs }) => [lost, kills, dataMs])).toEqual([
    ['gateway', 2, 310],
    ['service', 1, 710],
  ])
})

test('a loss without a failed request took no time', () => {
  const [one] = recoveriesOf([lossAt(1_000, 'etcd-1', 'etcd')], [requestAt(1_100, 200)], [])
  expect(one).toMatchObject({ failed: 0, dataMs: 0, anyMs: 0, doors: [] })
})
