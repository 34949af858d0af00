import type { Trade } from '@tapeline/contracts/market-data/http'
import { make, partOf } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'

/** The first answer of the command stays unchanged while the tape keeps running. */
export function showAnswer(root: HTMLElement, symbol: string, trades: readonly Trade[], words: Words): void {
  const code = partOf(root, 'answer')?.querySelector<HTMLElement>('pre')
  const [first] = trades
  if (code === null || code === undefined || first === undefined || code.dataset['symbol'] === symbol) return
  code.dataset['symbol'] = symbol
  const { id, ts_event, ts_recv, sequence, price, size, side } = first
  const line = (key: string, value: string): Node[] => [name(key), new Text(value)]
  code.replaceChildren(
    new Text('{ '),
    ...line('data', ': [ {\n    '),
    ...line('id', `: "${id}",\n    `),
    ...line('ts_event', `: "${ts_event}",\n    `),
    ...line('ts_recv', `:  "${ts_recv}",\n    `),
    ...line('sequence', `: "${sequence}",\n    `),
    ...line('price', `: "${price}", `),
    ...line('size', `: "${size}",\n    `),
    ...line('side', `: "${side}", `),
    dim('…'),
    new Text('\n  }, '),
    dim(`… ${trades.length - 1} ${words('more')}`),
    new Text(' ] }'),
  )
}

export function showClaims(root: HTMLElement, [newest, second, third]: readonly Trade[]): void {
  if (newest === undefined || second === undefined || third === undefined) return
  const arrow = (): HTMLElement => make('span', { class: 'faint' }, '→')
  partOf(root, 'order')?.replaceChildren(
    third.sequence,
    ' ',
    arrow(),
    ` ${second.sequence} `,
    arrow(),
    ` ${newest.sequence}`,
  )
  const clock = newest.ts_event.slice('2026-11-20T'.length)
  partOf(root, 'exact')?.replaceChildren(`"${newest.price}" `, make('span', { class: 'faint' }, '@'), ` ${clock}`)
}

function name(text: string): HTMLElement {
  return make('span', { class: 'keyword' }, `"${text}"`)
}

function dim(text: string): HTMLElement {
  return make('span', { class: 'comment' }, text)
}
