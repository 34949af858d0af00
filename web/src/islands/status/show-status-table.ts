import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { make, partOf } from '../parts/dom.ts'
import { formatShare, type Words } from '../parts/words.ts'
import { nameOf } from './show-failures.ts'

/** The bars as a table: every day with measurements. */
export function showStatusTable(root: HTMLElement, { components }: PlatformStatus, words: Words): void {
  const shares = components.map(({ days }) => new Map(days.map(({ day, availability }) => [day, availability])))
  const measured = new Set(
    shares.flatMap((ofDay) => [...ofDay].flatMap(([day, share]) => (share === null ? [] : [day]))),
  )
  const head = components.map(({ component }) =>
    make('th', { scope: 'col', class: 'numeric' }, nameOf(root, component)),
  )
  const rows = [...measured]
    .sort()
    .reverse()
    .map((day) => {
      const cells = shares.map((ofDay) => make('td', { class: 'numeric' }, shareText(ofDay.get(day) ?? null, words)))
      return make('tr', {}, make('th', { scope: 'row', class: 'mono' }, day), ...cells)
    })
  const place = partOf(root, 'twin')
  place?.setAttribute('tabindex', '0')
  place?.setAttribute('role', 'region')
  place?.setAttribute('aria-label', words('caption'))
  place?.replaceChildren(
    make(
      'table',
      { class: 'table' },
      make('caption', { class: 'sr-only' }, words('caption')),
      make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, words('day')), ...head)),
      make('tbody', {}, ...rows),
    ),
  )
}

function shareText(share: number | null, words: Words): string {
  return share === null ? words('not_measured') : formatShare(share)
}
