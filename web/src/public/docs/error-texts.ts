import type { Language } from '@tapeline/contracts/language'
import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import type { Token, Tokens } from 'marked'
import { parseText } from './parse-text.ts'
import { readText } from './read-text.ts'

export type ErrorText = { code: ErrorCode; status: number; means: Token[]; todo: Token[] }

/** Every error code of the platform, in the order of the contract. */
export const errorCodes = Object.keys(errorStatuses).filter(isErrorCode)

/** Meaning and remedy of each code, in the language being rendered or in a given one. */
export function readErrorTexts(language?: Language): Map<string, ErrorText> {
  const { body } = readText('codes', language)
  return new Map(
    parseText(body, body).map(({ heading, pairs }) => {
      const code = heading?.text ?? ''
      const paragraphs = pairs.flatMap(({ prose }) => prose) as Tokens.Paragraph[]
      if (!isErrorCode(code)) throw new Error(`The texts of errors explain ${code}, which no response has.`)
      const [means, todo] = paragraphs.map(({ tokens }) => tokens)
      return [code, { code, status: errorStatuses[code], means: means ?? [], todo: todo ?? [] }]
    }),
  )
}

export function readErrorText(code: ErrorCode): ErrorText {
  const text = readErrorTexts().get(code)
  if (text === undefined) throw new Error(`Nothing explains ${code}.`)
  return text
}

function isErrorCode(code: string): code is ErrorCode {
  return code in errorStatuses
}
