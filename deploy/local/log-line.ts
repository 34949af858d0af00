export type LogStyle = 'color' | 'plain'

/** Fields of a record that are not appended as `key=value`. */
const NOT_IN_FIELDS = new Set(['service', 'name', 'time', 'level', 'msg', 'pid', 'hostname', 'v', 'err'])
const VALUE_CHARACTERS_MAX = 300
const STACK_LINES_MAX = 6
const OWN_FRAME = /^\s+at (?!.*(?:node_modules|node:))/
const SERVICE_WIDTH = 11
const COLOURS: Record<string, string> = { trace: '90', debug: '90', info: '32', warn: '33', error: '31', fatal: '31;1' }
const SERVICE_COLOURS = ['36', '35', '34', '94', '95', '96', '92']

/** One JSON line of a service in readable form: `service  time  level  message  key=value`. */
export function formatLogLine(service: string, line: string, style: LogStyle): string {
  const paint = (code: string, text: string): string => (style === 'color' ? `\u001B[${code}m${text}\u001B[0m` : text)
  const label = paint(serviceColour(service), service.padEnd(SERVICE_WIDTH))
  const record = parseRecord(line)
  if (record === undefined) return `${label}  ${line}`
  const level = textOf(record.level, 'info')
  const message = textOf(record.msg, '')
  const fields = Object.entries(record).flatMap(([name, value]) =>
    NOT_IN_FIELDS.has(name) ? [] : flatten(name, value),
  )
  const failure = describeError(record.err, level)
  const tail = [...fields, ...failure.fields].map(([name, value]) => `${paint('90', `${name}=`)}${value}`).join(' ')
  const head = `${label}  ${paint('90', clock(record.time))}  ${paint(COLOURS[level] ?? '0', level.padEnd(5))}  ${message}`
  return [
    tail === '' ? head : `${head}  ${tail}`,
    ...failure.stack.map((frame) => `${' '.repeat(SERVICE_WIDTH + 2)}${paint('90', frame)}`),
  ].join('\n')
}

export function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function flatten(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([inner, innerValue]) =>
      typeof innerValue === 'object' ? [] : flatten(`${name}.${inner}`, innerValue),
    )
  }
  return [[name, quote(typeof value === 'string' ? value : JSON.stringify(value))]]
}

function quote(text: string): string {
  const short = text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
  return /[\s"]/.test(short) ? JSON.stringify(short) : short
}

/** The stack is shown for errors that are not retried, and only the frames of this repository. */
function describeError(value: unknown, level: string): { fields: [string, string][]; stack: string[] } {
  if (typeof value !== 'object' || value === null) return { fields: [], stack: [] }
  const { message, code, stack } = value as { message?: unknown; code?: unknown; stack?: unknown }
  const fields = [...flatten('error', message), ...flatten('code', code)]
  const isBroken = level === 'error' || level === 'fatal'
  const frames = isBroken && typeof stack === 'string' ? stack.split('\n').filter((line) => OWN_FRAME.test(line)) : []
  return { fields, stack: frames.slice(0, STACK_LINES_MAX) }
}

function clock(time: unknown): string {
  const date = typeof time === 'string' || typeof time === 'number' ? new Date(time) : new Date()
  const part = (value: number, width: number): string => String(value).padStart(width, '0')
  return `${part(date.getHours(), 2)}:${part(date.getMinutes(), 2)}:${part(date.getSeconds(), 2)}.${part(date.getMilliseconds(), 3)}`
}

function serviceColour(service: string): string {
  const sum = Array.from(service).reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return SERVICE_COLOURS[sum % SERVICE_COLOURS.length] ?? '36'
}
