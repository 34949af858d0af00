import { useState } from 'react'
import { openStorage } from '../browser-storage.ts'

const NAME = 'tapeline-sidebar'
const COLLAPSED = 'collapsed'
const storage = openStorage(() => localStorage)

/** Whether the sidebar is collapsed, remembered in this browser. */
export function useCollapsed(): [boolean, (isCollapsed: boolean) => void] {
  const [isCollapsed, setCollapsed] = useState(() => storage.getItem(NAME) === COLLAPSED)
  function remember(next: boolean): void {
    setCollapsed(next)
    if (next) storage.setItem(NAME, COLLAPSED)
    else storage.removeItem(NAME)
  }
  return [isCollapsed, remember]
}
