/** RFC 8259 tokens; whitespace before each is skipped. */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/uy
const SPACE = /[ \t\n\r]*/y

type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end'
type State = { open: string[]; expected: Expected }

/** The index of the first invalid character; the length of the text if it ends too early. */
export function findJsonError(text: string): number | undefined {
  const state: State = { open: [], expected: 'value' }
  TOKEN.lastIndex = 0
  for (let at = 0; ; at = TOKEN.lastIndex) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    const start = SPACE.lastIndex
    const isWhole = state.open.length === 0 && state.expected === 'comma-or-end'
    if (start === text.length) return isWhole ? undefined : start
    const token = isWhole ? null : TOKEN.exec(text)
    if (token === null || !accept(state, token[1] ?? (token[2] === undefined ? 'literal' : 'string'))) return start
  }
}

/** Consumes one token; false if the token is not allowed there. */
function accept(state: State, token: string): boolean {
  const { expected, open } = state
  switch (token) {
    case '{':
    case '[':
      return acceptOpening(state, token)
    case '}':
    case ']':
      return acceptClosing(state, token)
    case ':':
      state.expected = 'value'
      return expected === 'colon'
    case ',':
      state.expected = open.at(-1) === '{' ? 'name' : 'value'
      return expected === 'comma-or-end' && open.length > 0
    default:
      return acceptScalar(state, token === 'string')
  }
}

function acceptScalar(state: State, isString: boolean): boolean {
  const isName = state.expected.startsWith('name')
  const isAllowed = isName ? isString : state.expected.startsWith('value')
  state.expected = isName ? 'colon' : 'comma-or-end'
  return isAllowed
}

function acceptOpening(state: State, token: string): boolean {
  const isAllowed = state.expected.startsWith('value')
  state.open.push(token)
  state.expected = token === '{' ? 'name-or-end' : 'value-or-end'
  return isAllowed
}

function acceptClosing(state: State, token: string): boolean {
  const isAllowed = state.expected.endsWith('-or-end')
  state.expected = 'comma-or-end'
  return isAllowed && state.open.pop() === (token === '}' ? '{' : '[')
}
