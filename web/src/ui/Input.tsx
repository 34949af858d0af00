import type { ComponentProps } from 'react'

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={`input ${className}`} />
}

export function Select({ className = '', ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={`select ${className}`} />
}
