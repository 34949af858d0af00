import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answered } from './run-sample.ts'

const SAMPLES_DIR = join(import.meta.dirname, '..', 'docs', 'samples')
const LINE_MAX = 72
/** Headers shown with the body, by sample. */
const SHOWN: Record<string, string[]> = {
  'list-trades': ['RateLimit', 'X-Request-Id'],
  'limit-headers': [
    'RateLimit-Policy',
    'RateLimit',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  'too-many': ['Retry-After', 'RateLimit', 'X-Request-Id'],
}

/** Writes an answer next to its sample. Key secrets are never written. */
export function recordSample(name: string, { status, headers, body }: Answered): void {
  const shown = (SHOWN[name] ?? []).map((header) => `${header}: ${headers.get(header) ?? ''}`)
  const text = [`HTTP/1.1 ${status}`, ...shown].join('\n') + `\n\n${indented(withoutSecrets(body))}\n`
  writeFileSync(join(SAMPLES_DIR, `${name}.http`), text)
}

function withoutSecrets(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/"(tl_(?:live|test)_\w{12}_)\w+"/g, '"$1…"'))
}

/** JSON with short arrays and objects on one line. */
function indented(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= LINE_MAX) return spaced(flat)
  const deeper = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((one) => deeper + indented(one, deeper)).join(',\n')}\n${indent}]`
  const lines = Object.entries(value).map(([name, one]) => `${deeper}"${name}": ${indented(one, deeper)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

/** Adds a space after commas and colons between values. */
function spaced(flat: string): string {
  return flat.replaceAll(/("(?:[^"\\]|\\.)*")|([,:])/g, (_all, text?: string, mark?: string) => text ?? `${mark} `)
}
