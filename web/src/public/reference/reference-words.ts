import type { Token, Tokens } from 'marked'
import type { Language } from '@tapeline/contracts/language'
import { lexText } from '../docs/lex-text.ts'
import { readText } from '../docs/read-text.ts'

export type OperationWords = { title: string; description: Token[] }

/** Names of operations and groups, and a sentence where one is needed. */
export function readOperationWords(language?: Language): Map<string, OperationWords> {
  return new Map(
    rowsOf('operations', language).map(([id, title, description]) => [
      id?.text ?? '',
      { title: title?.text ?? '', description: description?.tokens ?? [] },
    ]),
  )
}

/** Meaning of a field, by `operation.field` if it differs in one call, otherwise by name. */
export function readFieldWords(language?: Language): Map<string, Token[]> {
  return new Map(rowsOf('fields', language).map(([name, description]) => [name?.text ?? '', description?.tokens ?? []]))
}

function rowsOf(name: string, language?: Language): Tokens.TableCell[][] {
  const table = lexText(readText(name, language).body).find(({ type }) => type === 'table')
  return (table as Tokens.Table | undefined)?.rows ?? []
}
