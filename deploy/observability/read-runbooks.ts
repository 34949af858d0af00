import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

export type Runbook = {
  /** The name of its alert, or of the server that is lost. */
  name: string
  text: string
  /** First sentence of its meaning. */
  meaning: string
  /** Lines of its code blocks, then its inline code. */
  codes: string[]
}

/** Every page of docs/runbooks except the list of them. */
export function readRunbooks(): Runbook[] {
  return globSync('docs/runbooks/*.md', { cwd: REPOSITORY })
    .filter((file) => basename(file) !== 'README.md')
    .toSorted()
    .map((file) => parseRunbook(basename(file, '.md'), readFileSync(join(REPOSITORY, file), 'utf8')))
}

export function parseRunbook(name: string, text: string): Runbook {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)\n```/g)].flatMap(([, lines = '']) => lines.split('\n'))
  const prose = text.replaceAll(/```[\s\S]*?```/g, '')
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
  const meaning = /\*\*Meaning\.\*\* ([\s\S]*?)(?:\.\s|\.$)/.exec(text)?.[1] ?? ''
  return { name, text, meaning, codes: [...blocks, ...inline] }
}

const NOT_TESTS = { cwd: REPOSITORY, exclude: (path: string) => path.endsWith('.test.ts') }
const texts = new Map<string, string>()

/** All sources that match, without tests, as one text. */
export function readSources(pattern: string): string {
  const known = texts.get(pattern)
  if (known !== undefined) return known
  const files = globSync(pattern, NOT_TESTS)
  const text = files.map((file) => readFileSync(join(REPOSITORY, file), 'utf8')).join('\n')
  texts.set(pattern, text)
  return text
}

/** Logger calls with a literal message, after an optional object. */
const LOG_CALL =
  /(?:\blog|[lL]ogger)\.(debug|info|warn|error|fatal)\(\s*(?:\{[^{}]*\},\s*)?(['"`])((?:(?!\2)[^\n])+)\2/g
const ERROR = /Error\((?:'\w+', )?(['"`])((?:(?!\1)[^\n])+)\1/g
/** Names of jobs, and of components that precede their messages. */
const NAME = /\bname: '([^']+)'/g
const LIBS = 'libs/{service,events,database,objects}/src/**/*.ts'

/** Log lines that the sources of a process can write: `service` is gateway or a service, undefined for all of them. */
export function logLinesOf(service: string | undefined): string[] {
  const own = service === 'gateway' ? 'gateway' : `services/${service ?? '*'}`
  const source = [`${service === undefined ? '{gateway,services/*}' : own}/src/**/*.ts`, LIBS]
    .map(readSources)
    .join('\n')
  const line = (fields: object) => JSON.stringify(fields)
  return [
    ...[...source.matchAll(LOG_CALL)].map(([, level, , msg]) => line({ level, msg })),
    ...[...source.matchAll(ERROR)].map(([, , message]) => line({ level: 'error', err: { message } })),
    ...[...source.matchAll(NAME)].map(([, job]) => line({ level: 'info', job })),
  ]
}
