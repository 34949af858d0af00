/**
 * Encodes arrays as PostgreSQL text, column by column: the driver inspects every value, which would be a quarter of
 * the CPU of recording a request.
 */
export function numberArray(values: readonly (number | null)[]): string {
  let text = ''
  for (const value of values) text += text === '' ? (value ?? 'NULL') : `,${value ?? 'NULL'}`
  return `{${text}}`
}

export function textArray(values: readonly (string | null)[]): string {
  let text = ''
  for (const value of values) {
    if (text !== '') text += ','
    text += value === null ? 'NULL' : quoted(value)
  }
  return `{${text}}`
}

/** Times in milliseconds since 1970; most equal the previous one. */
export function instantArray(timesMs: readonly number[]): string {
  let text = ''
  let lastMs = Number.NaN
  let last = ''
  for (const timeMs of timesMs) {
    if (timeMs !== lastMs) last = new Date(timeMs).toISOString()
    lastMs = timeMs
    text += text === '' ? last : `,${last}`
  }
  return `{${text}}`
}

export function bytesArray(values: readonly Buffer[]): string {
  let text = ''
  for (const value of values) text += `${text === '' ? '' : ','}"\\\\x${value.toString('hex')}"`
  return `{${text}}`
}

const SPECIAL = /["\\]/
const EACH_SPECIAL = /["\\]/g

function quoted(text: string): string {
  return `"${SPECIAL.test(text) ? text.replace(EACH_SPECIAL, '\\$&') : text}"`
}
