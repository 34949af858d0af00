import type { ComponentProps } from 'react'

/** The children are its label. */
export function Checkbox({ children, className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <label className={`check ${className}`}>
      <input {...rest} type="checkbox" />
      <span>{children}</span>
    </label>
  )
}
