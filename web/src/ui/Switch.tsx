import type { ComponentProps } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: string
  isOn: boolean
  onToggle: (isOn: boolean) => void
}

export function Switch({ label, isOn, onToggle, className = '', ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      className={`switch ${className}`}
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      checked={isOn}
      onChange={(event) => onToggle(event.currentTarget.checked)}
    />
  )
}
