import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from './Button.tsx'
import type { ButtonLook } from './button-class.ts'

export type MenuItem = {
  label: string
  icon?: ReactNode
  /** With a URL it is a link; `onSelect` may prevent that the browser follows it. */
  href?: string
  onSelect?: (event: MouseEvent) => void
  isDangerous?: boolean
  /** Separated from the items before it. */
  isNewGroup?: boolean
}

type MenuProps = ButtonLook & { label: string; trigger: ReactNode; items: readonly MenuItem[] }

/** The menu button pattern: arrows, Home, End and first letters move; Escape and Tab close. */
export function Menu({ label, trigger, items, ...look }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
  const menuId = useId()

  useEffect(() => {
    if (!isOpen) return
    itemsIn(wrap.current)[0]?.focus()
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && wrap.current?.contains(event.target) === false) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  function close(): void {
    setOpen(false)
    wrap.current?.querySelector<HTMLElement>(':scope > button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab') return setOpen(false)
    const isHandled = event.key === 'Escape' ? (close(), true) : moveFocus(itemsIn(wrap.current), event.key)
    if (!isHandled) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="menu-wrap" ref={wrap}>
      <Button
        {...look}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {trigger}
      </Button>
      {isOpen && (
        <div className="menu" id={menuId} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <Fragment key={item.label}>
              {item.isNewGroup === true && <hr />}
              <Entry item={item} onClose={close} />
            </Fragment>
          ))}
        </div>
      )}
    </div>
  )
}

function Entry({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const shared = { role: 'menuitem', tabIndex: -1, className: item.isDangerous === true ? 'bad' : undefined }
  function select(event: MouseEvent): void {
    onClose()
    item.onSelect?.(event)
  }
  const content = (
    <>
      {item.icon}
      {item.label}
    </>
  )
  if (item.href !== undefined) {
    return (
      <a {...shared} href={item.href} onClick={select}>
        {content}
      </a>
    )
  }
  return (
    <button {...shared} type="button" onClick={select}>
      {content}
    </button>
  )
}

function itemsIn(wrap: HTMLElement | null): HTMLElement[] {
  return [...(wrap?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
}

/** True when the key moves in a menu. */
function moveFocus(items: HTMLElement[], key: string): boolean {
  const here = items.findIndex((item) => item === document.activeElement)
  const target = targetOf(items, here, key)
  target?.focus()
  return target !== undefined
}

function targetOf(items: HTMLElement[], here: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(here + 1) % items.length]
  if (key === 'ArrowUp') return items[(here - 1 + items.length) % items.length]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...items.slice(here + 1), ...items.slice(0, here + 1)]
  return after.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}
