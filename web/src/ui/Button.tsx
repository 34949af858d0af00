import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Busy } from './Busy.tsx'
import { type ButtonLook, buttonClass } from './button-class.ts'
import { useIsStarted } from './hooks/use-is-started.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  ButtonLook & {
    icon?: ReactNode
    /** Keeps its position and is announced as busy; clicks do nothing. */
    isBusy?: boolean
    /** Stays focusable, so that its reason (`aria-describedby`) can be read. */
    isDisabled?: boolean
    /** Called on a click while disabled, to explain the reason. */
    onRefused?: () => void
  }

/** In a prerendered page it cannot be pressed, so that the browser submits no form. */
export function Button({
  variant,
  size,
  isIconOnly,
  icon,
  isBusy = false,
  isDisabled = false,
  className,
  children,
  onClick,
  onRefused,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isStarted = useIsStarted()
  const isOff = isBusy || isDisabled
  function click(event: MouseEvent<HTMLButtonElement>): void {
    if (!isOff) return onClick?.(event)
    event.preventDefault()
    if (isDisabled) onRefused?.()
  }
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, isIconOnly }, className)}
      disabled={!isStarted}
      data-early={isStarted ? undefined : ''}
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      onClick={click}
    >
      {isBusy ? <Busy /> : icon}
      {children}
    </button>
  )
}
