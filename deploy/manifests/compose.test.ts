import { expect, test } from 'vitest'
import { readCompose } from './compose.ts'
import { COMPOSE_CHECKS } from './compose-checks.ts'
import { composeMutations } from './compose-mutations.ts'
import { composeSecretMutations } from './compose-secret-mutations.ts'
import { createComposeCheck } from './schemas.ts'

const complaints = createComposeCheck()
const MUTATIONS = [...composeMutations, ...composeSecretMutations]
const FILES = ['docker-compose.yml', 'deploy/compose.mail.yml', 'deploy/compose.observability.yml']
/** Checks of single containers apply to the observability containers too. */
const OF_ALL = [
  'no container runs as root',
  'no container can gain privileges',
  'root file systems are read-only and no host files are mounted',
  'memory, CPU and processes are bounded',
  'there are no plain-text secrets',
  'images name a release',
]
const compose = readCompose('docker-compose.yml')

test.each(FILES)('%s is a valid Compose file', (file) => {
  expect(complaints(readCompose(file))).toEqual([])
})

test.each(Object.keys(COMPOSE_CHECKS))('compose: %s', (name) => {
  expect(COMPOSE_CHECKS[name]?.(compose)).toEqual([])
})

test.each(OF_ALL)('compose.observability.yml: %s', (name) => {
  expect(COMPOSE_CHECKS[name]?.(readCompose('deploy/compose.observability.yml'))).toEqual([])
})

test.each(MUTATIONS)('detected: $what', ({ detectedBy, change }) => {
  const changed = structuredClone(compose)
  change(changed)
  const found = detectedBy === 'schema' ? complaints(changed) : COMPOSE_CHECKS[detectedBy]?.(changed)
  expect(found, detectedBy).toBeDefined()
  expect(found, detectedBy).not.toEqual([])
})

test('every check detects at least one change', () => {
  const detecting = new Set(MUTATIONS.map((one) => one.detectedBy))
  expect(Object.keys(COMPOSE_CHECKS).filter((name) => !detecting.has(name))).toEqual([])
})
