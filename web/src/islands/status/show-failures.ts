import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { make, partOf } from '../parts/dom.ts'
import { formatNumber, formatShare, type Words } from '../parts/words.ts'

const SHOWN_MAX = 20

/** Days with failures, newest first. */
export function showFailures(root: HTMLElement, { components }: PlatformStatus, words: Words): void {
  const days = components
    .flatMap(({ component, days: ofComponent }) => ofComponent.map((day) => ({ ...day, component })))
    .flatMap((day) =>
      day.availability === null || day.availability === 1 ? [] : [{ ...day, share: day.availability }],
    )
    .sort((one, other) => (one.day < other.day ? 1 : -1))
    .slice(0, SHOWN_MAX)
  const items = days.map(({ day, component, share, requests, probes }) => {
    const text = words('trouble', { share: formatShare(share), count: formatNumber(requests + probes) })
    return make(
      'li',
      {},
      make('span', {}, make('span', { class: 'mono' }, day), ` ${nameOf(root, component)}`),
      make('span', { class: 'muted' }, text),
    )
  })
  partOf(root, 'trouble')?.replaceChildren(
    ...(items.length > 0 ? items : [make('li', { class: 'muted' }, words('noTrouble'))]),
  )
}

export function nameOf(root: HTMLElement, component: string): string {
  return root.querySelector(`[data-component="${component}"] [data-part="name"]`)?.textContent ?? component
}
