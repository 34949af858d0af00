import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { REPOSITORY } from '../../local/folders.ts'
import { StartProblem } from '../../local/start-problem.ts'
import { findTool } from '../../tools/find-tool.ts'
import { CHART_FOLDER } from '../edges.ts'
import type { Manifest } from '../objects.ts'

const RELEASE = 'tapeline'
const NAMESPACE = 'tapeline'
const HELM_TIMEOUT_MS = 120_000
/** What the manifests are checked against (deploy/schemas). */
const KUBERNETES = '1.36.0'
const CLUSTER_WIDE = new Set(['Namespace', 'PriorityClass'])

export const HELM_MISSING = 'helm is not installed: npm run setup:tools -- helm'

/** Objects of the chart as Helm renders them for a first installation, in the namespace that Helm puts them in. */
export function renderChart(values: object = {}): Manifest[] {
  const text = runHelm(
    [
      'template',
      RELEASE,
      join(REPOSITORY, CHART_FOLDER),
      '--namespace',
      NAMESPACE,
      '--kube-version',
      KUBERNETES,
    ].concat(Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`])),
  )
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null)
    .map(intoNamespace)
}

function intoNamespace(one: Manifest): Manifest {
  if (CLUSTER_WIDE.has(one.kind)) return one
  return { ...one, metadata: { namespace: NAMESPACE, ...one.metadata } } as Manifest
}

/** Writes the chart's archive into a folder, and returns its file name. */
export function packageChart(folder: string): string {
  const output = runHelm(['package', join(REPOSITORY, CHART_FOLDER), '--destination', folder])
  const file = /[\w.-]+\.tgz/.exec(output)?.[0]
  if (file === undefined) throw new Error(`helm package: ${output.trim()}`)
  return file
}

/** Throws with what Helm found. */
export function lintChart(): void {
  runHelm(['lint', join(REPOSITORY, CHART_FOLDER), '--strict', '--kube-version', KUBERNETES])
}

export function hasHelm(): boolean {
  return findTool('helm') !== undefined
}

function runHelm(args: string[]): string {
  const program = findTool('helm')
  if (program === undefined) throw new StartProblem('helm is not installed.', 'npm run setup:tools -- helm')
  return execFileSync(program, args, { encoding: 'utf8', timeout: HELM_TIMEOUT_MS, stdio: 'pipe' })
}
