import { parseJson } from '../../venues/json.ts'

/** A frame as cryptofeed records it: `seconds: frame`. Lines that begin with `wss://` are the recorder's own. */
export type RecordedFrame = { tsRecv: string; message: unknown }

const LINE = /^(\d{10})(?:\.(\d{1,9}))?: (?=[[{])/
const RECORDER = /^wss:\/\//
const NS_DIGITS = 9

/** Undefined for the recorder's own lines; throws an Error that describes what is wrong with any other line. */
export function parseRecordedLine(line: string): RecordedFrame | undefined {
  if (RECORDER.test(line)) return undefined
  const [start, seconds, fraction = ''] = LINE.exec(line) ?? []
  if (start === undefined || seconds === undefined) throw new Error('does not begin with a time in seconds')
  return { tsRecv: seconds + fraction.padEnd(NS_DIGITS, '0'), message: parseJson(line.slice(start.length)) }
}
