import { lexer, type TokensList } from 'marked'

const cache = new Map<string, TokensList>()

/** The tokens of a Markdown text. Each text is read once: many pages need the texts of the same calls and error codes. */
export function lexText(text: string): TokensList {
  const tokens = cache.get(text) ?? lexer(text)
  cache.set(text, tokens)
  return tokens
}
