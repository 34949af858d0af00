import type { Token, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { DocDirective } from './DocDirective.tsx'
import { highlight } from './highlight.tsx'
import { inline } from './inline.tsx'
import { directiveOf } from './parse-text.ts'

/** Renders the Markdown subset used by the texts; anything else fails the build. */
export function Prose({ tokens }: { tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} />)
}

function Block({ token }: { token: Token }): ReactNode {
  const directive = directiveOf(token)
  if (directive !== undefined) return <DocDirective {...directive} />
  switch (token.type) {
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'code':
      return (
        <pre className="code code-box shell" tabIndex={0}>
          <code>{highlight((token as Tokens.Code).text, 'curl')}</code>
        </pre>
      )
    case 'space':
      return null
    default:
      throw new Error(`A text has ${token.type}, which is not drawn: ${token.raw}`)
  }
}

function List({ list }: { list: Tokens.List }) {
  return (
    <ul>
      {list.items.map(({ tokens }, index) => (
        <li key={index}>{inline(tokens.flatMap((token) => ('tokens' in token ? (token.tokens ?? []) : [])))}</li>
      ))}
    </ul>
  )
}

function Table({ table: { header, rows, align } }: { table: Tokens.Table }) {
  const alignmentClass = (index: number): string | undefined => (align[index] === 'right' ? 'numeric' : undefined)
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={header[0]?.text}>
      <table className="table">
        <thead>
          <tr>
            {header.map(({ text, tokens }, index) => (
              <th key={text} scope="col" className={alignmentClass(index)}>
                {inline(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]?.text}>
              {cells.map(({ tokens }, index) => (
                <td key={index} className={alignmentClass(index)}>
                  {inline(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
