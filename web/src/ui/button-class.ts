export type ButtonLook = {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  size?: 'small' | 'medium' | 'large' | undefined
  isIconOnly?: boolean | undefined
}

/** Also for links that look like a button. */
export function buttonClass({ variant = 'plain', size = 'medium', isIconOnly = false }: ButtonLook = {}, more = ''): string {
  const names = ['btn']
  if (variant !== 'plain') names.push(`btn-${variant}`)
  if (size === 'small') names.push('btn-sm')
  if (size === 'large') names.push('btn-lg')
  if (isIconOnly) names.push('btn-icon')
  if (more !== '') names.push(more)
  return names.join(' ')
}
