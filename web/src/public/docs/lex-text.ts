import { lexer, type TokensList } from 'marked'

const known = new Map<string, TokensList>()

/** The tokens of a Markdown text. Each text is read once: many pages need the texts of the same calls and error codes. */
export function lexText(text: string): TokensList {
  const tokens = known.get(text) ?? lexer(text)
  known.set(text, tokens)
  return tokens
}
