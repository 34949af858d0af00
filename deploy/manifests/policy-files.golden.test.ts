import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import {
  chartFiles,
  DASHBOARDS_FILE,
  dashboardsFile,
  POLICY_FILES,
  policyFile,
  RULES_FILE,
  rulesFile,
} from './policy-files.ts'

test.each(['base', 'local', 'production'] as const)(
  'the network policies of %s are those of the edges',
  async (place) => {
    await expectGolden(POLICY_FILES[place], policyFile(place))
  },
)

test('a cluster has the same rules and dashboards as Compose', async () => {
  await expectGolden(RULES_FILE, rulesFile())
  await expectGolden(DASHBOARDS_FILE, dashboardsFile())
})

test('the chart has the edges, the backup script, the rules and the dashboards of this repository', async () => {
  for (const [path, text] of Object.entries(chartFiles())) await expectGolden(path, text)
})
