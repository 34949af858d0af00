import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../local/folders.ts'
import { CHECKS } from './checks/all.ts'
import { workloadsOf } from './pods.ts'
import { ofKind } from './read-rendered.ts'
import { renderedOnce } from './test/rendered.fixture.ts'

const SELECTED = /kubectl apply -k k8s\/overlays\/production -l 'app.kubernetes.io\/component notin \(([a-z,]+)\)'/

test('the objects that k8s/README.md applies before a release include the migrations and all they need, and no processes', () => {
  const [, list = ''] = SELECTED.exec(readFileSync(join(REPOSITORY, 'k8s', 'README.md'), 'utf8')) ?? []
  const left = list.split(',')
  const applied = renderedOnce('production').filter(
    ({ metadata }) => !left.includes(metadata.labels?.['app.kubernetes.io/component'] ?? ''),
  )
  expect(ofKind(applied, 'Job').map(({ metadata }) => metadata.name)).toEqual(['migrate'])
  expect(workloadsOf(applied)).toEqual([])
  for (const name of [
    'referenced settings, secrets and volumes exist',
    'no pod can access the API server, and each has its own service account',
    'the namespace admits only restricted pods, by rules of a named version',
    'traffic is denied unless a policy allows it, in both directions',
  ]) {
    expect(CHECKS[name]?.(applied), name).toEqual([])
  }
  const priorities = ofKind(applied, 'PriorityClass').map(({ metadata }) => metadata.name)
  expect(priorities).toContain(ofKind(applied, 'Job')[0]?.spec.template.spec.priorityClassName)
})
