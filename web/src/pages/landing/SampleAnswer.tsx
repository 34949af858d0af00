import type { Trade } from '@tapeline/contracts/market-data/http'
import { useState } from 'react'

/** The first answer to the command, kept still while the tape beside it runs on. */
export function SampleAnswer({ trades }: { trades: readonly Trade[] }) {
  const [answer, setAnswer] = useState(trades)
  if (answer.length === 0 && trades.length > 0) setAnswer(trades)
  const first = answer[0]
  if (first === undefined) return <pre className="code only-wide">{' \n'.repeat(7)} </pre>
  return (
    <pre className="code only-wide" tabIndex={0} aria-label="First trade of the answer">
      {'{ '}
      <Name>data</Name>
      {': [ {\n    '}
      <Name>id</Name>
      {`: "${first.id}",\n    `}
      <Name>ts_event</Name>
      {`: "${first.ts_event}",\n    `}
      <Name>ts_recv</Name>
      {`:  "${first.ts_recv}",\n    `}
      <Name>sequence</Name>
      {`: "${first.sequence}",\n    `}
      <Name>price</Name>
      {`: "${first.price}", `}
      <Name>size</Name>
      {`: "${first.size}",\n    `}
      <Name>side</Name>
      {`: "${first.side}", `}
      <span className="c">…</span>
      {'\n  }, '}
      <span className="c">… {answer.length - 1} more</span>
      {' ] }'}
    </pre>
  )
}

function Name({ children }: { children: string }) {
  return <span className="k">{`"${children}"`}</span>
}
