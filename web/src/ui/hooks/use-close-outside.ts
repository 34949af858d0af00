import { type RefObject, useEffect, useRef } from 'react'

/** Calls `close` when the pointer or focus moves outside, and on Escape; inactive while closed. */
export function useCloseOutside(inside: RefObject<HTMLElement | null>, close: (() => void) | undefined): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  const isOpen = close !== undefined
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && inside.current?.contains(event.target) === false) latest.current?.()
    }
    const closeOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') latest.current?.()
    }
    document.addEventListener('keydown', closeOnEscape)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen, inside])
}
