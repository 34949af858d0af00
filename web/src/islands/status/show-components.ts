import type { ComponentStatus, PlatformStatus, StatusDay } from '@tapeline/contracts/audit/status'
import { make, partOf, setText } from '../parts/dom.ts'
import { formatShare, type Words } from '../parts/words.ts'

const DAYS = 90
const TONES = { up: 'ok', degraded: 'warn', down: 'bad', not_measured: 'off' } as const

/** A slot per day, today first: answered requests above the line, others below. */
export function showComponents(root: HTMLElement, { components }: PlatformStatus, words: Words): void {
  for (const component of components) {
    const row = root.querySelector<HTMLElement>(`[data-component="${component.component}"]`)
    if (row === null) continue
    setState(row, TONES[component.state], words(component.state))
    const { availability } = component
    setText(row, 'availability', availability === null ? '' : formatShare(availability))
    partOf(row, 'state')?.setAttribute('title', component.not_measured ?? '')
    showDays(row, component, words)
  }
}

/** Without an answer every component is unknown; the displayed days remain. */
export function showUnknown(root: HTMLElement, words: Words): void {
  for (const row of root.querySelectorAll<HTMLElement>('[data-component]')) setState(row, 'off', words('unknown'))
}

function setState(row: HTMLElement, tone: 'ok' | 'warn' | 'bad' | 'off', text: string): void {
  const state = partOf(row, 'state')
  if (state === undefined) return
  state.className = `state state-${tone}`
  state.textContent = text
}

function showDays(row: HTMLElement, { days }: ComponentStatus, words: Words): void {
  const tape = partOf(row, 'days')
  if (tape === undefined) return
  const newestFirst = [...days].sort((one, other) => (one.day < other.day ? 1 : -1)).slice(0, DAYS)
  const measured = newestFirst.filter(({ availability }) => availability !== null)
  const trouble = measured.filter(({ availability }) => availability !== 1).length
  const part = partOf(row, 'name')?.textContent ?? ''
  tape.classList.toggle('is-off', measured.length === 0)
  tape.setAttribute('role', 'img')
  tape.setAttribute('aria-label', words('bars', { part, days: measured.length, trouble }))
  tape.replaceChildren(...Array.from({ length: DAYS }, (_, index) => slot(newestFirst[index])))
}

/** Even the smallest failure is visible. */
const SMALLEST = 0.3

function slot(day: StatusDay | undefined): HTMLElement {
  const element = make('i')
  const availability = day?.availability ?? null
  if (availability === null) return element
  element.style.setProperty('--u', String(availability))
  if (availability === 1) return element
  element.className = 'server'
  element.style.setProperty('--d', String(Math.max(SMALLEST, 1 - availability)))
  return element
}
