import { expect, test } from 'vitest'
import { CHECKS } from './checks/all.ts'
import { BY_SCHEMA } from './mutations.ts'
import { processMutations } from './process-mutations.ts'
import { reachMutations } from './reach-mutations.ts'
import { renderedOnce } from './test/rendered.fixture.ts'
import { scaleMutations } from './scale-mutations.ts'
import { createSchemaCheck } from './schemas.ts'
import { wiringMutations } from './wiring-mutations.ts'

const MUTATIONS = [...processMutations, ...wiringMutations, ...scaleMutations, ...reachMutations]
const complaints = createSchemaCheck()
const rendered = { local: renderedOnce('local'), production: renderedOnce('production') }

test.each(MUTATIONS)('detected: $what', ({ detectedBy, overlay = 'local', change }) => {
  const manifests = structuredClone(rendered[overlay])
  change(manifests)
  const found = detectedBy === BY_SCHEMA ? manifests.flatMap(complaints) : CHECKS[detectedBy]?.(manifests)
  expect(found, detectedBy).not.toEqual([])
  expect(found, detectedBy).toBeDefined()
})

test('every check detects at least one change', () => {
  const missed = Object.keys(CHECKS).filter((name) => !MUTATIONS.some(({ detectedBy }) => detectedBy === name))
  expect(missed).toEqual(['a service calls another only by a key that the two share'])
})
