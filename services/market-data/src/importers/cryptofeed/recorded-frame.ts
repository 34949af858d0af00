/** A frame as cryptofeed records it: `seconds: frame`. Lines that begin with `wss://` are the recorder's own. */
export type RecordedFrame = { tsRecv: string; message: unknown }

const LINE = /^(\d{10})(?:\.(\d{1,9}))?: (?=[[{])/
const RECORDER = /^wss:\/\//
const NS_DIGITS = 9

/** Undefined for the recorder's own lines; throws an Error that says what is wrong with any other line. */
export function parseRecordedLine(line: string): RecordedFrame | undefined {
  if (RECORDER.test(line)) return undefined
  const [start, seconds, fraction = ''] = LINE.exec(line) ?? []
  if (start === undefined || seconds === undefined) throw new Error('does not begin with a time in seconds')
  return { tsRecv: seconds + fraction.padEnd(NS_DIGITS, '0'), message: parseJson(line.slice(start.length)) }
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new Error('has no valid JSON after the time')
  }
}

export function field(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null && !Array.isArray(message)
    ? Object.getOwnPropertyDescriptor(message, name)?.value
    : undefined
}

export function textField(message: unknown, name: string): string {
  const value = field(message, name)
  if (typeof value !== 'string') throw new Error(`${name} is missing or not text`)
  return value
}

/** A list of lists of text; absent is empty. */
export function rowsOf(message: unknown, name: string): string[][] {
  const value = field(message, name) ?? []
  return rowsIn(value, name)
}

export function rowsIn(value: unknown, name: string): string[][] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`)
  return value.map((row: unknown) => {
    if (!Array.isArray(row)) throw new Error(`${name} contains something that is not a list`)
    return row.map((cell: unknown) => {
      if (typeof cell !== 'string') throw new Error(`${name} contains a value that is not text`)
      return cell
    })
  })
}
