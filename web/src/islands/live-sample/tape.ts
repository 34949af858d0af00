import type { Trade } from '@tapeline/contracts/market-data/http'
import { tradeSlots } from '../../trades/trade-slots.ts'
import type { TapeSlot } from '../../ui/Tape.tsx'
import { make } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'

/** Placeholder marks, in gray. */
const PLACEHOLDERS: readonly TapeSlot[] = Array.from({ length: 220 }, (_, index) => ({
  up: 0.45 + 0.25 * Math.sin(index / 23) ** 2,
  isPlaceholder: true,
}))

/** A slot per trade, newest first; new trades slide in. */
export function createTape(tape: HTMLElement | undefined, words: Words) {
  const slots = new Map<string, HTMLElement>()

  function draw(next: readonly TapeSlot[]): void {
    const drawn = next.map((slot, index) => {
      const key = slot.key ?? String(index)
      const element = slots.get(key) ?? make('i')
      element.className = `${slot.kind === 'sell' ? 'sell-tick' : ''} ${slot.isPlaceholder === true ? 'placeholder' : ''} ${slot.isNew === true ? 'new' : ''}`
      if (slot.up !== undefined) element.style.setProperty('--u', String(slot.up))
      if (slot.down !== undefined) element.style.setProperty('--d', String(slot.down))
      return [key, element] as const
    })
    slots.clear()
    for (const [key, element] of drawn) slots.set(key, element)
    tape?.replaceChildren(...slots.values())
  }

  const clear = (): void => {
    slots.clear()
    tape?.classList.add('is-off')
    draw(PLACEHOLDERS)
  }
  clear()
  return {
    clear,
    show: (trades: readonly Trade[], newerThan: string | undefined): void => {
      tape?.classList.remove('is-off')
      tape?.setAttribute('role', 'img')
      tape?.setAttribute('aria-label', words('tape'))
      draw(tradeSlots(trades, newerThan))
    },
  }
}
