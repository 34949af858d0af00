import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'
import type { Labels, Manifest } from '../manifests/objects.ts'
import { readNames } from './read-metrics.ts'
import { logLinesOf, readSources, type Runbook } from './read-runbooks.ts'

const OBJECT = /\b(deployment|statefulset|job|cronjob)\/([a-z][a-z0-9-]*)/g
const GOT =
  /\b(?:get|describe|patch|delete) (hpa|gateway|httproute|cronjob|deployment|statefulset|pod) ([a-z][a-z0-9-]*)/g
const KINDS: Record<string, string> = { hpa: 'horizontalpodautoscaler' }
const SELECTOR = /-l (\S+)/

type Rendered = Manifest & { spec?: { template?: Template; jobTemplate?: { spec: { template: Template } } } }
type Template = { metadata?: { labels?: Labels } }

/** Objects and labels in the commands that the manifests do not have, and logs of a selector that are cut off. */
export function missingObjects({ codes }: Runbook, manifests: readonly Manifest[]): string[] {
  const existing = new Set(manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`.toLowerCase()))
  const commands = codes.filter(isOfTapeline)
  return commands.flatMap((code, index) => {
    const named = [...code.matchAll(OBJECT), ...code.matchAll(GOT)].map(([, kind = '', name = '']) => ({ kind, name }))
    const pods = [...code.matchAll(/\b(?:logs|exec|pod) (\w[\w-]*)-(\d+)\b/g)]
    const objects = [
      ...named.filter(({ kind }) => kind !== 'pod'),
      ...pods.map(([, name = '']) => ({ kind: 'statefulset', name })),
    ]
    const before = commands.slice(0, index)
    const missing = objects.filter(({ kind, name }) => {
      const isCreated = before.some((one) => one.includes(`create ${kind} `) && one.endsWith(` ${name}`))
      return !isCreated && !existing.has(`${KINDS[kind] ?? kind}/${name}`)
    })
    return [...missing.map(({ kind, name }) => `${kind}/${name}`), ...missingLabels(code, manifests)]
  })
}

/** A kubectl command or the name of an object; a command of another namespace is not about the manifests. */
function isOfTapeline(code: string): boolean {
  return /^(kubectl |\w+\/[a-z][a-z0-9-]*$)/.test(code) && !/ -n (?!tapeline )/.test(code)
}

function missingLabels(code: string, manifests: readonly Manifest[]): string[] {
  const [, selector] = SELECTOR.exec(code) ?? []
  if (selector === undefined) return []
  const [, service] = /^kubernetes\.io\/service-name=(.*)$/.exec(selector) ?? []
  if (service !== undefined) {
    const isThere = manifests.some(({ kind, metadata }) => kind === 'Service' && metadata.name === service)
    return isThere ? [] : [`service/${service}`]
  }
  // Jobs have the labels of their pods.
  const pods = (manifests as readonly Rendered[]).flatMap(({ spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template
    return template === undefined ? [] : [template.metadata?.labels ?? {}]
  })
  const wanted = selector.split(',').map((one) => one.split('='))
  const isThere = pods.some((labels) =>
    wanted.every(([key = '', value]) => key in labels && (value === undefined || labels[key] === value)),
  )
  const tail =
    / logs /.test(code) && !code.includes('--tail') ? [`${selector}: without --tail, the last ten lines`] : []
  return isThere ? tail : [selector, ...tail]
}

const GREP = /\| grep ((?:-\w+ )*)(?:'([^']+)'|(\S+))/

/** Patterns of grep that no log line or metric can match, and quoted log lines that no source writes. */
export function missingTexts({ codes }: Runbook): string[] {
  const searched = codes.filter(isOfTapeline).flatMap((code) => {
    const [, flags = '', quoted, bare] = GREP.exec(code) ?? []
    const pattern = quoted ?? bare
    if (pattern === undefined) return []
    const lines = code.includes('/metrics') ? readNames() : logLinesOf(serviceOf(code))
    const expression = new RegExp(pattern, flags.includes('i') ? 'i' : '')
    return lines.some((line) => expression.test(line)) ? [] : [pattern]
  })
  const quotes = codes.filter((code) => /^[a-z][a-z ]+: [a-z]/.test(code))
  return [...searched, ...quotes.filter((quote) => !logLinesOf(undefined).some((line) => line.includes(quote)))]
}

/** The folder of the sources whose log a command reads; undefined: several. */
function serviceOf(code: string): string | undefined {
  if (/ gateway-\d|name=gateway/.test(code)) return 'gateway'
  const [, name = ''] = /(?:deployment\/|kubernetes\.io\/name=)([a-z-]+)/.exec(code) ?? []
  return globSync('*', { cwd: join(REPOSITORY, 'services') }).find((service) => `${name}-`.startsWith(`${service}-`))
}

const PATH = /(?<![\w./$-])((?:deploy|docs|gateway|k8s|libs|load-tests|services|tests|web)\/[\w./-]+\.[a-z]+)/g

/** Files of the repository that do not exist. */
export function missingFiles({ codes }: Runbook): string[] {
  const paths = codes.flatMap((code) => [...code.matchAll(PATH)].map(([, path = '']) => path))
  return paths.filter((path) => !existsSync(join(REPOSITORY, path)))
}

/** npm commands whose script does not exist, whose words its folder does not contain, or without the words it needs. */
export function wrongScripts({ codes }: Runbook): string[] {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Package
  return codes.flatMap((code) => {
    const [, name, rest = ''] = /^npm (?:run )?([\w:-]+)(?: -- (.*))?$/.exec(code) ?? []
    if (name === undefined) return []
    const file = scripts[name]?.match(/[\w./-]+\.ts/g)?.at(-1)
    if (file === undefined) return [code]
    const source = readFileSync(join(REPOSITORY, file), 'utf8')
    if (source.includes(`npm run ${name} -- <`) && rest === '') return [`${code}: without the arguments it needs`]
    const words = rest.split(/[\s'",]+/).map((word) => word.replace(/^--/, ''))
    const known = readSources(`${dirname(file)}/**/*.ts`)
    return words
      .filter((word) => word !== '' && !known.includes(word) && !existsSync(join(REPOSITORY, word)))
      .map((word) => `${code}: ${word}`)
  })
}
type Package = { scripts: Record<string, string> }

const SQL_WORDS = new Set('select count from where order by desc asc limit and or as now left'.split(' '))
const METRIC = /\b(?:gateway|audit|platform|market_data|nodejs|process|kafka_consumer|http_server)_[a-z0-9_]+\b/g

/** Tables, columns and states in SQL that the service's database does not have; PostgreSQL's own views are not checked. */
export function unknownColumns({ codes }: Runbook): string[] {
  return codes.flatMap((code) => {
    const [, variable = '', sql = ''] = /^psql "\$(\w+)" -c "(.*)"$/.exec(code) ?? []
    if (sql === '' || /\bpg_/.test(sql)) return []
    const service = variable.replace(/_?DATABASE_URL$/, '').toLowerCase() || '*'
    const source = readSources(`services/${service}/src/**/*.ts`) + readSources('libs/database/src/**/*.ts')
    const words = sql.match(/[a-z_]+/g) ?? []
    return words.filter((word) => !SQL_WORDS.has(word) && !new RegExp(`\\b${word}\\b`).test(source))
  })
}

/** Metrics that no process exports. */
export function unknownMetricsOf({ codes }: Runbook): string[] {
  const names = codes.filter((code) => !code.startsWith('psql')).flatMap((code) => code.match(METRIC) ?? [])
  const exported = new Set(readNames())
  return names.filter((name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|sum|count)$/, '')))
}

/** Settings of our processes that no configuration has. */
export function unknownSettings({ text }: Runbook): string[] {
  const names = text.match(/(?<![\w$"])[A-Z]+(?:_[A-Z]+)+\b/g) ?? []
  const known = readSources('{gateway,services/*,libs/service}/src/**/*config.ts')
  return names.filter((name) => !known.includes(`${name}:`))
}
