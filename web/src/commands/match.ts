export type Match = {
  score: number
  /** Ranges of matched characters in the label. */
  marks: [number, number][]
}

const WHOLE = 4
const WHOLE_WORD = 3.25
const START = 3
const WORD = 2
const INSIDE = 1
/** Score of a match in the keywords instead of the label. */
const KEYWORD_SCORE = 0.5
const SPECIAL = /[\\^$.*+?()[\]{}|]/gu

/** Scores how well a query matches a label and its keywords; every word must match. Accents and case are ignored. */
export function match(query: string, label: string, keywords = ''): Match | undefined {
  const words = plain(query).split(/\s+/).filter(Boolean)
  const [text, other] = [plain(label), plain(keywords)]
  const found = words.map((word) => matchWord(word, text, other))
  if (found.some((one) => one === undefined)) return undefined
  const matches = found.flatMap((one) => (one === undefined ? [] : [one]))
  return {
    score: matches.reduce((sum, { score }) => sum + score, 0) / Math.max(1, matches.length),
    marks: matches.flatMap(({ mark }) => (mark === undefined ? [] : [mark])).toSorted((one, next) => one[0] - next[0]),
  }
}

function matchWord(word: string, text: string, other: string): { score: number; mark?: [number, number] } | undefined {
  const starts = new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(SPECIAL, String.raw`\$&`)}`, 'u')
  const atWord = starts.exec(text)?.index
  const at = atWord ?? text.indexOf(word)
  if (at < 0)
    return other.includes(word) ? { score: starts.test(other) ? KEYWORD_SCORE : KEYWORD_SCORE / 2 } : undefined
  const mark: [number, number] = [at, at + word.length]
  return { score: scoreAt(at, { word, text, isWordStart: atWord !== undefined }), mark }
}

function scoreAt(
  at: number,
  { word, text, isWordStart }: { word: string; text: string; isWordStart: boolean },
): number {
  if (text === word) return WHOLE
  if (isWordStart && !/[\p{L}\p{N}]/u.test(text.charAt(at + word.length))) return WHOLE_WORD
  if (at === 0) return START
  return isWordStart ? WORD : INSIDE
}

const plainTexts = new Map<string, string>()
const PLAIN_TEXTS_MAX = 5_000

/**
 * Replaces each character by its base letter; positions stay the same. Cached, because every typed letter searches all
 * texts.
 */
function plain(text: string): string {
  const plainText = plainTexts.get(text) ?? makePlain(text)
  if (plainTexts.size < PLAIN_TEXTS_MAX) plainTexts.set(text, plainText)
  return plainText
}

function makePlain(text: string): string {
  return Array.from(text, (character) => {
    const base = character.normalize('NFD').charAt(0).toLowerCase()
    return base.padEnd(character.length, base)
  }).join('')
}
