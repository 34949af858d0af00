export type Random = { below: (max: number) => number; pick: <T>(values: readonly T[]) => T }

/** Mulberry32: the same seed gives the same cases on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const below = (max: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }
  const pick = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)]
    if (value === undefined) throw new Error('there is nothing to pick from')
    return value
  }
  return { below, pick }
}

/** Bytes that parsers interpret differently: line ends, blanks, control characters, signs, and the framing headers themselves. */
const TOKENS = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0',
  '+1',
  '-1',
  '0x5',
  '\0',
  '\u000b',
  '\u007f',
  '\u00ff',
  'chunked',
  'identity',
  'content-length: 3\r\n',
  'Content-Length: 0\r\n',
  'transfer-encoding: chunked\r\n',
  'connection: close\r\n',
  'HTTP/1.1 ',
  'HTTP/1.0 ',
  '99999999999999999999',
]

/** One to three edits: a byte changed, removed or doubled, a token put in, a piece cut out or moved to the end. */
export function mutate(random: Random, text: string): string {
  let mutated = text
  for (let edits = 1 + random.below(3); edits > 0; edits -= 1) mutated = edit(random, mutated)
  return mutated
}

function edit({ below, pick }: Random, text: string): string {
  const at = below(text.length + 1)
  const until = Math.min(text.length, at + 1 + below(12))
  const [before, piece, after] = [text.slice(0, at), text.slice(at, until), text.slice(until)]
  switch (below(6)) {
    case 0:
      return before + String.fromCharCode(below(256)) + text.slice(at + 1)
    case 1:
      return before + text.slice(at + 1)
    case 2:
      return before + piece + piece + after
    case 3:
      return before + after
    case 4:
      return before + after + piece
    default:
      return before + pick(TOKENS) + text.slice(at)
  }
}
