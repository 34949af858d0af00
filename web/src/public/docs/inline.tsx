import type { Token, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { linkTarget } from './link-target.ts'

/** Inline elements: code, links, emphasis. */
export function inline(tokens: readonly Token[]): ReactNode[] {
  return tokens.map((token, index) => <Inline key={index} token={token} />)
}

function Inline({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return (token as Tokens.Text).text
    case 'codespan':
      return <code className="inline">{(token as Tokens.Codespan).text}</code>
    case 'strong':
      return <b className="medium">{inline((token as Tokens.Strong).tokens)}</b>
    case 'link':
      return (
        <a className="link" href={linkTarget((token as Tokens.Link).href)}>
          {inline((token as Tokens.Link).tokens)}
        </a>
      )
    default:
      throw new Error(`A text has ${token.type}, which is not drawn: ${token.raw}`)
  }
}
