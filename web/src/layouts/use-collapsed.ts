import { useState } from 'react'
import { local } from '../platform.ts'

const NAME = 'tapeline-sidebar'
const COLLAPSED = 'collapsed'

/** Whether the sidebar is collapsed, remembered in this browser. */
export function useCollapsed(): [boolean, (isCollapsed: boolean) => void] {
  const [isCollapsed, setCollapsed] = useState(() => local.getItem(NAME) === COLLAPSED)
  function remember(next: boolean): void {
    setCollapsed(next)
    if (next) local.setItem(NAME, COLLAPSED)
    else local.removeItem(NAME)
  }
  return [isCollapsed, remember]
}
