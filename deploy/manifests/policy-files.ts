import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'
import { RULE_FILES } from '../observability/read-metrics.ts'
import { CHART_FOLDER, EDGES_FILE, readEdges } from './edges.ts'
import { networkPolicies, type Place } from './network-policies.ts'

export const POLICY_FILES: Record<Place, string> = {
  base: 'k8s/base/network-policies.yaml',
  local: 'k8s/overlays/local/network-policies.yaml',
  production: 'k8s/overlays/production/network-policies.yaml',
}

/** The text of a file of network policies, as kustomize reads it. */
export function policyFile(place: Place): string {
  const documents = networkPolicies(readEdges(), place).map((one) => stringify(one, { aliasDuplicateObjects: false }))
  return `# Written from ${EDGES_FILE} by: npm run golden\n${documents.join('---\n')}`
}

export const RULES_FILE = 'k8s/components/monitoring/rules.yaml'

/** The rules of Compose in the format of the Prometheus operator. */
export function rulesFile(): string {
  const groups = RULE_FILES.flatMap((file) => {
    const text = readFileSync(join(REPOSITORY, 'deploy', 'observability', file), 'utf8')
    return (parse(text) as { groups: object[] }).groups
  })
  const rule = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: { name: 'tapeline' } }
  return `# Written from deploy/observability by: npm run golden\n${stringify({ ...rule, spec: { groups } })}`
}

export const DASHBOARDS_FILE = 'k8s/components/monitoring/dashboards.yaml'

/** Each dashboard in a ConfigMap, with the label that Grafana's sidecar looks for. */
export function dashboardsFile(): string {
  const folder = join(REPOSITORY, 'deploy', 'observability', 'dashboards')
  const documents = globSync('*.json', { cwd: folder })
    .toSorted()
    .map((file) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `dashboard-${basename(file, '.json')}`, labels: { grafana_dashboard: '1' } },
      data: { [`tapeline-${file}`]: readFileSync(join(folder, file), 'utf8') },
    }))
  return `# Written from deploy/observability/dashboards by: npm run golden\n${documents.map((one) => stringify(one)).join('---\n')}`
}

const OBSERVABILITY = 'deploy/observability'

/** Copies in the chart's folder, by path: Helm reads no files outside of a chart. */
export function chartFiles(): Record<string, string> {
  const dashboards = globSync('*.json', { cwd: join(REPOSITORY, OBSERVABILITY, 'dashboards') }).toSorted()
  return Object.fromEntries([
    copy(EDGES_FILE),
    copy('k8s/base/backup.sh'),
    copy('k8s/base/restore.sh'),
    ...RULE_FILES.map((file) => copy(`${OBSERVABILITY}/${file}`, 'rules')),
    ...dashboards.map((file) => copy(`${OBSERVABILITY}/dashboards/${file}`, 'dashboards')),
  ])
}

function copy(source: string, folder = ''): [string, string] {
  return [join(CHART_FOLDER, 'files', folder, basename(source)), readFileSync(join(REPOSITORY, source), 'utf8')]
}
