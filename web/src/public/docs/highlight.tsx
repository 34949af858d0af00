import bash from 'shiki/langs/bash.mjs'
import json from 'shiki/langs/json.mjs'
import python from 'shiki/langs/python.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import type { ReactNode } from 'react'

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'cli' | 'json'

const GRAMMARS = { curl: 'bash', typescript: 'typescript', python: 'python', cli: 'bash', json: 'json' } as const
const THEME = 'tapeline'
const highlighter = createHighlighterCoreSync({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--', fontStyle: false })],
  langs: [bash, json, python, typescript],
  engine: await createOnigurumaEngine(import('shiki/wasm')),
})

/** Classes of base.css; tokens that are not listed are shown as plain text. */
const CLASSES: Record<string, string> = {
  'var(--token-comment)': 'comment',
  'var(--token-keyword)': 'keyword',
  'var(--token-string)': 'string',
  'var(--token-string-expression)': 'string',
  'var(--token-constant)': 'number',
  'var(--token-punctuation)': 'punctuation',
}

const cache = new Map<string, ReactNode>()

/** Highlights code at build time: the browser receives spans and needs no script. */
export function highlight(code: string, language: CodeLanguage): ReactNode {
  const name = `${language} ${code}`
  const found = cache.get(name) ?? spansOf(code, language)
  cache.set(name, found)
  return found
}

function spansOf(code: string, language: CodeLanguage): ReactNode {
  // Without a limit, because a line that takes longer on a busy machine would lose its colors.
  const limits = { tokenizeTimeLimit: 0 }
  const lines = highlighter.codeToTokensBase(code, { lang: GRAMMARS[language], theme: THEME, ...limits })
  return joinAlike(
    lines.flatMap((tokens, index) => [
      ...(index === 0 ? [] : [{ text: '\n', className: '' }]),
      ...tokens.map(({ content, color }) => ({ text: content, className: CLASSES[color ?? ''] ?? '' })),
    ]),
  ).map(({ text, className }, index) =>
    className === '' ? (
      text
    ) : (
      <span key={index} className={className}>
        {text}
      </span>
    ),
  )
}

type Piece = { text: string; className: string }

/** Merges adjacent pieces of the same class into one; whitespace is added to the piece before it. */
function joinAlike(pieces: Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last !== undefined && (last.className === piece.className || piece.text.trim() === '')) last.text += piece.text
    else joined.push({ ...piece })
  }
  return joined
}
