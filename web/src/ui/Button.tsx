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
    /** Clicked while disabled: the place to say why. */
    onRefused?: () => void
  }

/** Where a page is drawn ahead it looks as it will be, but cannot be pressed: no form is sent by the browser. */
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
