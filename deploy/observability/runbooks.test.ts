import { beforeAll, expect, test } from 'vitest'
import type { Manifest } from '../manifests/objects.ts'
import { renderedOnce } from '../manifests/test/rendered.fixture.ts'
import { readAlerts, readRules } from './read-metrics.ts'
import { parseRunbook, readRunbooks, type Runbook } from './read-runbooks.ts'
import {
  missingFiles,
  missingObjects,
  missingTexts,
  unknownColumns,
  unknownMetricsOf,
  unknownSettings,
  wrongScripts,
} from './runbook-commands.ts'
import { type Threshold, wrongThresholds } from './runbook-thresholds.ts'

/** Time to render the manifests on a busy machine. */
const RENDER_TIMEOUT_MS = 300_000
const runbooks = readRunbooks()
let manifests: Manifest[] = []
beforeAll(() => {
  manifests = renderedOnce('production')
}, RENDER_TIMEOUT_MS)

const CHECKS: Record<string, (page: Runbook) => string[]> = {
  'objects and labels exist in the manifests': (page) => missingObjects(page, manifests),
  'searched log texts are written by a source': missingTexts,
  'files exist': missingFiles,
  'npm scripts exist and have their arguments': wrongScripts,
  'tables and columns exist': unknownColumns,
  'metrics are exported': unknownMetricsOf,
  'settings exist': unknownSettings,
}

test.each(Object.entries(CHECKS))('in every runbook, %s', (_what, check) => {
  expect(runbooks.flatMap((page) => check(page).map((fault) => `${page.name}: ${fault}`))).toEqual([])
})

test.each(readAlerts())('$alert: the runbook states the values of the rule', ({ alert, expr }) => {
  const { meaning } = runbooks.find(({ name }) => name === alert) ?? expect.fail(`${alert} has no runbook`)
  const rule = readRules().find((one) => one.alert === alert) as Threshold | undefined
  expect(meaning).not.toBe('')
  expect(wrongThresholds(meaning, { ...rule, expr: `${expr} ${boundsOf(expr)}` })).toEqual([])
})

/** Expressions of recorded ratios: their buckets are part of the alert. */
function boundsOf(expr: string): string {
  return readRules()
    .filter(({ record }) => record !== undefined && expr.includes(record))
    .flatMap((rule) => rule.expr.match(/le="[\d.]+"/g) ?? [])
    .join(' ')
}

test.each([
  ['kubectl -n tapeline logs deployment/audit-worker', 'objects and labels', 'deployment/audit-worker'],
  ['kubectl -n tapeline rollout undo statefulset/gateways', 'objects and labels', 'statefulset/gateways'],
  ['statefulset/gateways', 'objects and labels', 'statefulset/gateways'],
  ['kubectl -n tapeline logs job/backup-now', 'objects and labels', 'job/backup-now'],
  ['kubectl -n tapeline logs gate-0 --previous', 'objects and labels', 'statefulset/gate'],
  ['kubectl -n tapeline get hpa gateways', 'objects and labels', 'hpa/gateways'],
  [
    'kubectl -n tapeline get pods -l app.kubernetes.io/part-of=tapeline',
    'objects and labels',
    'app.kubernetes.io/part-of=tapeline',
  ],
  ['kubectl -n tapeline get endpointslices -l kubernetes.io/service-name=trail', 'objects and labels', 'service/trail'],
  [
    'kubectl -n tapeline logs -l app.kubernetes.io/name=config --since=5m | grep -i relay',
    'objects and labels',
    'app.kubernetes.io/name=config: without --tail, the last ten lines',
  ],
  ["kubectl -n tapeline logs deployment/audit-jobs | grep 'archive request'", 'searched log texts', 'archive request'],
  ['kubectl -n tapeline logs gateway-0 | grep reconcile-usage', 'searched log texts', 'reconcile-usage'],
  [
    `kubectl -n tapeline logs gateway-0 | grep -E '"level":"(err|warning)"'`,
    'searched log texts',
    '"level":"(err|warning)"',
  ],
  ['consumer: a partition is stuck', 'searched log texts', 'consumer: a partition is stuck'],
  ['node services/audit/src/dead-letter.ts list', 'files exist', 'services/audit/src/dead-letter.ts'],
  ['npm run disaster', 'npm scripts', 'npm run disaster'],
  ['npm run load', 'npm scripts', 'npm run load: without the arguments it needs'],
  ['npm run chaos -- redis-gone', 'npm scripts', 'npm run chaos -- redis-gone: redis-gone'],
  [`psql "$AUDIT_DATABASE_URL" -c "select * from usage_checks"`, 'tables and columns', 'usage_checks'],
  [
    `psql "$AUDIT_DATABASE_URL" -c "select * from usage_check where state = 'lost_rows'"`,
    'tables and columns',
    'lost_rows',
  ],
  ['max(gateway_journal_size) > 1', 'metrics', 'gateway_journal_size'],
  ['JOURNAL_SIZE_MAX', 'settings', 'JOURNAL_SIZE_MAX'],
])('detected: %s', (code, what, fault) => {
  const page = parseRunbook('Test', `**Meaning.** A test. \`${code}\``)
  const faults = Object.entries(CHECKS).map(([name, check]) => [name.startsWith(what), check(page)] as const)
  expect(faults.filter(([isOwn]) => isOwn).flatMap(([, found]) => found)).toEqual([fault])
})

test.each([
  ['More than 1.4 % failed over the last hour and over the last five minutes', []],
  ['A monthly target of 99.9 % allows less', []],
  ['More than 2 % failed', ['2 %']],
  ['For ten minutes, requests failed', ['ten minutes']],
  ['For two minutes, requests took longer than 250 ms', ['250 ms']],
  ['128 of 256 MiB are pending', []],
  ['100 of 256 MiB are pending', ['100 of 256 MiB']],
])('%s', (sentence, wrong) => {
  const expr = 'errors:ratio_rate1h > 14.4 * 0.001 and errors:ratio_rate5m > 14.4 * 0.001 or journal > 0.5 * 268435456'
  expect(wrongThresholds(sentence, { expr, for: '2m' })).toEqual(wrong)
})
