import type { CodeLanguage } from './highlight.tsx'

const files = import.meta.glob<string>('../../../docs/samples/*', { query: '?raw', import: 'default', eager: true })

export type SampleCode = { language: CodeLanguage; code: string }
/** The recorded answer to the sample of the same name. */
export type RecordedAnswer = { status: number; headers: [name: string, value: string][]; body: string }

const EXTENSIONS: [CodeLanguage, string][] = [
  ['curl', 'sh'],
  ['typescript', 'ts'],
  ['python', 'py'],
  ['cli', 'cli'],
]

/** The files of one sample in docs/samples, as the tests run them. */
export function readSample(name: string): SampleCode[] {
  const found = EXTENSIONS.flatMap(([language, extension]) => {
    const code = files[`../../../docs/samples/${name}.${extension}`]
    return code === undefined ? [] : [{ language, code: code.trimEnd() }]
  })
  if (found.length === 0) throw new Error(`There is no sample ${name}.`)
  return found
}

export function readAnswer(name: string): RecordedAnswer {
  const text = files[`../../../docs/samples/${name}.http`]
  if (text === undefined) throw new Error(`No answer was recorded for ${name}.`)
  const [head = '', ...body] = text.split('\n\n')
  const [line = '', ...headers] = head.split('\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: headers.map((header) => {
      const at = header.indexOf(': ')
      return [header.slice(0, at), header.slice(at + 2)]
    }),
    body: body.join('\n\n').trimEnd(),
  }
}

export function hasAnswer(name: string): boolean {
  return files[`../../../docs/samples/${name}.http`] !== undefined
}
