import { parseArgs } from 'node:util'
import { hasHelm, HELM_MISSING, renderChart } from '../manifests/chart/render-chart.ts'
import { OVERLAYS, render } from '../manifests/render.ts'
import { startApiServer } from './api-server.ts'
import { findApiPrograms } from './cluster-programs.ts'
import { definitions } from './definitions.ts'
import { applyFirst, dryRun, podsOf, readManifests } from './dry-run.ts'
import { runOneNode } from './one-node/run-one-node.ts'
import { expectRefusals } from './refusals.ts'
import { verify, type Verdicts } from './verdicts.ts'

// npm run verify:k8s: validates both overlays and the chart with a real API server and Pod Security; warnings are errors.
// npm run verify:k8s -- --run [--images <tar>]: the overlay for one machine on a real node, instead.
const { values } = parseArgs({ options: { run: { type: 'boolean', default: false }, images: { type: 'string' } } })
await verify(async (verdicts) => (values.run ? runOneNode(verdicts, values.images) : verifyOnServer(verdicts)))

async function verifyOnServer({ check, skip }: Verdicts): Promise<void> {
  const programs = findApiPrograms()
  const api = await startApiServer(programs)
  try {
    await check('version', async () => (await api.kubectl(['version'])).output.trim().replaceAll('\n', ', '))
    for (const overlay of OVERLAYS) {
      const text = render(overlay)
      const manifests = readManifests(text)
      const isThere = await check(`${overlay}: namespace, priorities, kinds of controllers`, () =>
        applyFirst(api, manifests, definitions()),
      )
      if (!isThere) continue
      await check(`${overlay}: every object is taken without a warning`, () => dryRun(api, overlay, text))
      await check(`${overlay}: every pod is let in by Pod Security restricted`, () =>
        dryRun(api, `${overlay}-pods`, podsOf(manifests)),
      )
      if (overlay === 'local') await check('invalid objects are rejected', () => expectRefusals(api, manifests))
    }
    if (!hasHelm()) skip('chart', HELM_MISSING)
    else {
      await check('chart: every object is taken without a warning', () => dryRun(api, 'chart', renderChart()))
      await check('chart: every pod is let in by Pod Security restricted', () =>
        dryRun(api, 'chart-pods', podsOf(renderChart())),
      )
    }
  } finally {
    await api.stop()
  }
}
