import { t } from '@lingui/core/macro'
import { Check, Copy, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import type { ButtonLook } from './button-class.ts'
import { copyText } from './copy-text.ts'

const CONFIRM_MS = 2_000

type CopyButtonProps = ButtonLook & {
  /** A secret is read only when it is copied, and never stored. */
  text: string | (() => string)
  /** Accessible name of the button, for example "Copy command". */
  label: string
  /** Shown next to the icon; otherwise the label is for screen readers only. */
  children?: string
  Icon?: LucideIcon
  confirmMs?: number
  onCopied?: () => void
  onFailed?: () => void
}

export function CopyButton({
  text,
  label,
  children,
  Icon: IdleIcon = Copy,
  confirmMs = CONFIRM_MS,
  onCopied,
  onFailed,
  ...look
}: CopyButtonProps) {
  const [isConfirmed, setConfirmed] = useState(false)

  useEffect(() => {
    if (!isConfirmed) return
    const timer = setTimeout(() => setConfirmed(false), confirmMs)
    return () => clearTimeout(timer)
  }, [isConfirmed, confirmMs])

  async function copy(): Promise<void> {
    const isCopied = await copyText(typeof text === 'string' ? text : text())
    setConfirmed(isCopied)
    if (isCopied) onCopied?.()
    else onFailed?.()
  }

  const Icon = isConfirmed ? Check : IdleIcon
  return (
    <>
      <Button
        variant="quiet"
        {...look}
        isIconOnly={children === undefined}
        aria-label={children === undefined ? label : undefined}
        onClick={() => void copy()}
        icon={<Icon className="icon" aria-hidden="true" />}
      >
        {children !== undefined && (isConfirmed ? t`Copied` : children)}
      </Button>
      <span className="sr-only" role="status">
        {isConfirmed ? t`Copied` : ''}
      </span>
    </>
  )
}
