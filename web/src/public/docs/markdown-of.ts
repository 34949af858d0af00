import type { DocTextName } from './doc-list.ts'
import { errorCodes, readErrorTexts } from './error-texts.ts'
import { linkTarget } from './link-target.ts'
import { hasAnswer, readAnswer, readSample } from './read-sample.ts'
import { readText } from './read-text.ts'

const FENCES = { curl: 'sh', typescript: 'ts', python: 'python', cli: 'sh', json: 'json' } as const

/** A page as plain Markdown in English, with every sample and answer inline: for language models and other programs. */
export function markdownOf(name: DocTextName): string {
  const { title, description, body } = readText(name, 'en')
  const text = body
    .replaceAll(/^::sample ([\w-]+)$/gm, (_all, sample: string) => samplesOf(sample))
    .replaceAll(/^::answer ([\w-]+)$/gm, (_all, sample: string) => answerOf(sample))
    .replaceAll(/^::errors$/gm, errorList)
    .replaceAll(/^::island [\w-]+\n\n/gm, '')
    .replaceAll(/\]\(((?:page|error|operation):[^)]+)\)/g, (_all, href: string) => `](${linkTarget(href)})`)
  return `# ${title}\n\n${description}\n${text}`
}

function samplesOf(name: string): string {
  return readSample(name)
    .map(({ language, code }) => `\`\`\`${FENCES[language]}\n${code}\n\`\`\``)
    .join('\n\n')
}

function answerOf(name: string): string {
  if (!hasAnswer(name)) return ''
  const { status, headers, body } = readAnswer(name)
  const head = [`HTTP/1.1 ${status}`, ...headers.map(([header, value]) => `${header}: ${value}`)]
  return `\`\`\`http\n${head.join('\n')}\n\n${body}\n\`\`\``
}

function errorList(): string {
  const texts = readErrorTexts('en')
  return errorCodes
    .map((code) => {
      const { status, means = [], todo = [] } = texts.get(code) ?? {}
      const words = (tokens: { raw: string }[]): string => tokens.map(({ raw }) => raw).join('')
      return `- \`${code}\` (${status}): ${words(means)} ${words(todo)}`
    })
    .join('\n')
}
