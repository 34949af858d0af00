import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../local/folders.ts'
import { SERVICES } from '../local/secrets.ts'
import { type Connections, countConnections } from './database-connections.ts'
import { renderedOnce } from './test/rendered.fixture.ts'

test('k8s/README.md states the connections that production needs', () => {
  const counted = countConnections(renderedOnce('production'))
  const readme = readFileSync(join(REPOSITORY, 'k8s', 'README.md'), 'utf8')
  for (const service of SERVICES) {
    expect(readme).toContain(row(`tapeline_${service.replaceAll('-', '_')}`, counted[service]))
  }
  const all = Object.values(counted)
  const sum = (of: (one: Connections) => number) => all.reduce((total, one) => total + of(one), 0)
  expect(readme).toContain(
    row('all', { least: sum((one) => one.least), most: sum((one) => one.most), rollout: sum((one) => one.rollout) }),
  )
})

function row(name: string, { least, most, rollout }: Connections): string {
  return `| ${name} | ${least} | ${most} | ${rollout} |`
}
