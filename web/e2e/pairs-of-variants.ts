import type { ShownPage } from './all-pages.ts'
import { LANGUAGES, type PageVariant, THEMES } from './page-viewer.ts'

export const WIDTHS = [1280, 320, 768] as const
/** Coprime to the numbers of pages and of variants, so that each run checks different pages. */
const STRIDE = 7

/** A Latin square: with the default variant, its first row, it contains every pair of theme, language and width. */
const SQUARE: readonly PageVariant[] = THEMES.flatMap((theme, row) =>
  LANGUAGES.map((language, column): PageVariant => ({
    theme,
    language,
    width: WIDTHS[(row + column) % WIDTHS.length] ?? 0,
  })),
)

/** Number of runs, in which every pair occurs more than once, distributed over the pages. */
export function pairsOfVariants(
  pages: readonly ShownPage[],
  runs: number,
): { shown: ShownPage; variant: PageVariant }[] {
  const others = SQUARE.slice(1)
  return Array.from({ length: runs }, (_, n) => {
    const shown = pages[(n * STRIDE) % pages.length]
    const variant = others[n % others.length]
    if (shown === undefined || variant === undefined) throw new Error('there is nothing to look at')
    return { shown, variant }
  })
}
