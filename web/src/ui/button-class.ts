const VARIANTS = { plain: '', primary: 'btn-primary', danger: 'btn-danger', quiet: 'btn-quiet' } as const
const SIZES = { small: 'btn-sm', medium: '', large: 'btn-lg' } as const

export type ButtonLook = {
  variant?: keyof typeof VARIANTS | undefined
  size?: keyof typeof SIZES | undefined
  isIconOnly?: boolean | undefined
}

/** Classes of a button, also for links that look like one. */
export function buttonClass(look: ButtonLook = {}, more = ''): string {
  const names = ['btn', VARIANTS[look.variant ?? 'plain'], SIZES[look.size ?? 'medium']]
  if (look.isIconOnly === true) names.push('btn-icon')
  return [...names, more].filter(Boolean).join(' ')
}
