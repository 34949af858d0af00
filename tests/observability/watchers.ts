import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import { type Child, runChild } from '../../deploy/local/processes/run-child.ts'
import { findTool } from '../../deploy/tools/find-tool.ts'
import { alertmanagerFile, type Durations, prometheusFile, rulesWith } from './live-rules.ts'

export type Notice = { alert: string; severity: string; status: 'firing' | 'resolved'; atMs: number }
export type Watchers = {
  /** Samples of an instant query that are numbers. */
  query: (expr: string) => Promise<number[]>
  /** Alerts that Prometheus has firing now, inhibited ones included. */
  firing: () => Promise<string[]>
  /** Notifications that Alertmanager sent to the receiver, in order. */
  notices: Notice[]
  stop: () => Promise<void>
}
type Labels = { alertname: string; severity: string }
export type Programs = { prometheus: string; alertmanager: string }

const READY_WITHIN_MS = 120_000
const REQUEST_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 10_000
const RULE_FILES = ['promises.yml', 'state.yml']

/** undefined when one of them is missing on this machine. */
export function findPrograms(): Programs | undefined {
  const prometheus = findTool('prometheus')
  const alertmanager = findTool('alertmanager') ?? findTool('prometheus-alertmanager')
  return prometheus === undefined || alertmanager === undefined ? undefined : { prometheus, alertmanager }
}

/** Prometheus and Alertmanager with the rules and routes of the product, and a receiver of notices. */
export async function startWatchers(
  programs: Programs,
  { dir, targets, durations }: { dir: string; targets: Record<string, string>; durations: Durations },
): Promise<Watchers> {
  mkdirSync(dir, { recursive: true })
  const notices: Notice[] = []
  const receiver = await startReceiver(notices)
  const [prometheusPort, alertmanagerPort] = [await takeFreePort(), await takeFreePort()]
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const ruleFiles = RULE_FILES.map((file) => write(file, rulesWith(durations, file)))
  const alertmanager = `127.0.0.1:${alertmanagerPort}`
  const configuration = write('prometheus.yml', prometheusFile({ targets, ruleFiles, alertmanager, durations }))
  const children = await Promise.all([
    start('alertmanager', programs.alertmanager, dir, [
      `--config.file=${write('alertmanager.yml', alertmanagerFile(receiver.url, durations))}`,
      `--storage.path=${join(dir, 'alertmanager')}`,
      `--web.listen-address=${alertmanager}`,
      '--cluster.listen-address=',
    ]),
    start('prometheus', programs.prometheus, dir, [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(dir, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ])
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()))
    receiver.close()
  }
  const api = `http://127.0.0.1:${prometheusPort}`
  try {
    await Promise.all([waitForReady('Prometheus', api), waitForReady('Alertmanager', `http://${alertmanager}`)])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    stop,
    notices,
    async query(expr) {
      const answer = await get(`${api}/api/v1/query?query=${encodeURIComponent(expr)}`)
      const { data } = (await answer.json()) as { data?: { result: { value: [number, string] }[] } }
      return (data?.result ?? []).map(({ value }) => Number(value[1])).filter((value) => !Number.isNaN(value))
    },
    async firing() {
      const answer = await get(`${api}/api/v1/alerts`)
      const { data } = (await answer.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } }
      const names = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
      return [...new Set(names)].toSorted()
    },
  }
}

async function waitForReady(name: string, url: string): Promise<void> {
  const isReady = async () => (await get(`${url}/-/ready`).catch(() => undefined))?.ok === true
  await waitUntil(`${name} is ready`, isReady, READY_WITHIN_MS)
}

async function startReceiver(notices: Notice[]): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { alerts } = JSON.parse(body) as { alerts: { status: Notice['status']; labels: Labels }[] }
      const atMs = Date.now()
      notices.push(
        ...alerts.map(({ status, labels: { alertname, severity } }) => ({ alert: alertname, severity, status, atMs })),
      )
      response.end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

/** Shows only errors, such as a rejected configuration or an occupied port. */
function start(name: string, command: string, dir: string, args: string[]): Promise<Child> {
  return runChild({
    name,
    command,
    args: [...args, '--log.level=error'],
    dir,
    marker: dir,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: { onLine: (line) => console.error(`${name} ${line}`) },
  })
}

async function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
}
