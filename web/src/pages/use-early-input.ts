import { type RefObject, useLayoutEffect, useRef } from 'react'

type EarlyInput = Record<string, string | boolean>

/** Text typed into a prerendered form before this script loaded, by field name; returned once. */
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
