import { type RefObject, useLayoutEffect, useRef } from 'react'

type EarlyInput = Record<string, string | boolean>

/** What was typed into a form that was drawn ahead, before this script was there: given once, by name. */
export function useEarlyInput(take: (typed: EarlyInput) => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const taking = useRef(take)
  useLayoutEffect(() => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])]
    const typed = inputs.flatMap(({ type, name, checked, value }): [string, string | boolean][] => {
      if (type === 'checkbox') return checked ? [[name, true]] : []
      return value === '' ? [] : [[name, value]]
    })
    if (typed.length > 0) taking.current(Object.fromEntries(typed))
  }, [])
  return form
}
