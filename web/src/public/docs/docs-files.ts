import { paths } from '../../paths.ts'
import { operations, openApiText } from '../reference/read-operations.ts'
import { docTexts } from './doc-list.ts'
import { linkTarget } from './link-target.ts'
import { markdownOf } from './markdown-of.ts'
import { readText } from './read-text.ts'

/** Machine-readable documentation by path: the OpenAPI document, llms.txt, each text as Markdown. */
export function docsFiles(): ReadonlyMap<string, string> {
  return new Map([
    [paths.openApiDocument, openApiText],
    [paths.llmsText, llmsText()],
    ...docTexts.map(({ path, text }): [string, string] => [`${path}.md`, markdownOf(text)]),
  ])
}

function llmsText(): string {
  const texts = docTexts.map(({ path, text }) => {
    const { title, description } = readText(text, 'en')
    return `- [${title}](${path}.md): ${description}`
  })
  const calls = operations
    .filter(({ group }) => group === 'market-data' || group === 'limits')
    .map(({ id, method, path, summary }) => `- [${method} ${path}](${linkTarget(`operation:${id}`)}): ${summary}`)
  return [
    '# Tapeline',
    '',
    '> Trades and level-2 order-book events over REST and as a live stream, on a platform that anyone can run.',
    '',
    '## Documentation',
    '',
    ...texts,
    `- [OpenAPI 3.1](${paths.openApiDocument}): every call, with its fields and failures`,
    `- [MCP server](${paths.sdk}.md): the same data as tools, at \`/mcp\` of the gateway, or \`npm run -s mcp\` in a clone of the repository`,
    '',
    '## Market-data calls',
    '',
    ...calls,
    '',
  ].join('\n')
}
