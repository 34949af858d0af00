import { expectGolden } from '@tapeline/testing/golden'
import stringify from 'json-stringify-pretty-compact'
import { expect, test } from 'vitest'
import { allEvents } from './all-events.ts'
import { errorStatuses } from './error-code.ts'
import { TOPICS } from './topics.ts'

test('the schema of a published event type never changes', async () => {
  const shapes = Object.fromEntries(allEvents.map(({ type, topic, data }) => [type, { topic, data }]))
  await expectGolden('libs/contracts/golden/events.json', `${stringify(shapes, { maxLength: 140 })}\n`)
})

test('an error code keeps its status', async () => {
  const codes = Object.entries(errorStatuses).map(([code, status]) => `${status} ${code}`)
  await expectGolden('libs/contracts/golden/error-codes.txt', `${codes.toSorted().join('\n')}\n`)
})

test('an event is named owner.thing-happened.vN and published on its owner’s topic', () => {
  for (const { type, topic } of allEvents) {
    expect(type).toMatch(/^[a-z-]+\.[a-z0-9-]+\.v\d+$/)
    expect(type.split('.')[0]).toBe(topic)
    expect(TOPICS).toHaveProperty(topic)
  }
})
