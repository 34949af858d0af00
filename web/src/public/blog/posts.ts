import { paths } from '../../paths.ts'

/** Newest first. */
export const posts = [
  { text: 'blog-gateway', path: paths.blogGateway, day: '2026-11-22' },
  { text: 'blog-limits', path: paths.blogLimits, day: '2026-11-21' },
] as const

export type Post = (typeof posts)[number]
