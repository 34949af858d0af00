import { type KeyboardEvent, type ReactNode, useRef } from 'react'

type TabsProps<T extends string> = {
  label: string
  tabs: readonly { id: T; label: ReactNode }[]
  selected: T
  onSelect: (id: T) => void
  /** The panel that the tabs switch; see TabPanel. */
  panelId: string
}

/** One tab stop; arrows, Home and End move and select. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, panelId }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent): void {
    const here = tabs.findIndex((tab) => tab.id === selected)
    const step = { ArrowRight: here + 1, ArrowLeft: here - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    const target = step === undefined ? undefined : tabs[step % tabs.length]
    if (target === undefined) return
    event.preventDefault()
    onSelect(target.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(panelId, target.id))}`)?.focus()
  }

  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown} tabIndex={-1}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={tabId(panelId, tab.id)}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}

type TabPanelProps = { id: string; selected: string; children: ReactNode; className?: string }

export function TabPanel({ id, selected, children, className }: TabPanelProps) {
  return (
    <div id={id} role="tabpanel" aria-labelledby={tabId(id, selected)} className={className}>
      {children}
    </div>
  )
}

function tabId(panelId: string, id: string): string {
  return `${panelId}-tab-${id}`
}
