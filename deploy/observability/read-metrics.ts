import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'

const FOLDER = import.meta.dirname
export const RULE_FILES = ['promises.yml', 'state.yml']
/** Metrics of Prometheus itself and of other controllers. */
const OF_OTHERS = [
  'up',
  'kube_cronjob_created',
  'kube_deployment_status_replicas_available',
  'kube_deployment_status_replicas_unavailable',
  'kube_statefulset_replicas',
  'kube_statefulset_status_replicas_available',
  'kube_cronjob_status_last_successful_time',
  'certmanager_certificate_expiration_timestamp_seconds',
]
const SUFFIX = /_(bucket|sum|count)$/
/** Every name at a metric's position: no label, function, keyword or number. */
const NAME = /\b[a-z][a-z0-9_:]*_[a-z0-9_]+\b|\bup\b/g

export type Alert = { alert: string; expr: string; labels: { severity: string }; annotations: { runbook_url: string } }
type Rule = { record?: string; expr: string } & Partial<Alert>

export function readRules(): Rule[] {
  return RULE_FILES.flatMap((file) => {
    const { groups } = parse(readFileSync(join(FOLDER, file), 'utf8')) as { groups: { rules: Rule[] }[] }
    return groups.flatMap(({ rules }) => rules)
  })
}

export function readAlerts(): Alert[] {
  return readRules().filter((rule): rule is Rule & Alert => rule.alert !== undefined)
}

/** Every query of every dashboard, with its location. */
export function readQueries(): { where: string; expr: string }[] {
  return globSync('dashboards/*.json', { cwd: FOLDER }).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Dashboard
    return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr })))
  })
}
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

/** Metric names of a query that no process exports and no rule records. */
export function unknownMetrics(expr: string, exported: readonly string[] = readNames()): string[] {
  const existing = new Set([...OF_OTHERS, ...exported, ...readRules().map(({ record }) => record)])
  const bare = expr.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\b(by|without) ?\([^)]*\)/g, '')
  const names = bare.match(NAME) ?? []
  return names.filter((name) => !FUNCTIONS.has(name) && !existing.has(name) && !existing.has(name.replace(SUFFIX, '')))
}
const FUNCTIONS = new Set(['histogram_quantile', 'max_over_time', 'min_over_time'])

/** metrics.txt is a scrape of all processes. */
export function readNames(): string[] {
  return readFileSync(join(FOLDER, 'metrics.txt'), 'utf8').trim().split('\n')
}

/** The source of everything that measures; `deploy` imports none of it. */
export function readMeasuringSource(): string {
  const files = [
    ...globSync('{gateway,services/*,libs/service}/src/**/*.ts', { cwd: REPOSITORY }),
    ...globSync('node_modules/@prometheus-io/client/lib/metrics/*.js', { cwd: REPOSITORY }),
  ]
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(REPOSITORY, file), 'utf8'))
    .join('\n')
}
