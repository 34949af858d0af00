type ChunkGroup = { name: string; test: RegExp; priority: number }

const PACKAGES = String.raw`node_modules/(?:react|react-dom|scheduler|react-router|react-router-dom|@lingui/react)/`
/** Several questions at once, and lists without an end, are not asked everywhere. */
const QUERIES = String.raw`node_modules/@tanstack/(?!.*(?:ueries|nfinite))`

/**
 * Which modules travel together. Left alone, a page of the dashboard is fifty small files, each a request of its own and
 * a tenth heavier than together. What a public page needs of them stays apart: it loads no React.
 */
export const chunkGroups: ChunkGroup[] = [
  { name: 'load-part', test: /preload-helper/ },
  { name: 'api-base', test: ours('api/api-base') },
  {
    name: 'api',
    test: new RegExp(`${ours('api/(client|across-tabs)|session/stored-session|language/i18n').source}|@lingui/core`),
  },
  { name: 'theme', test: ours('theme/theme|observable|browser-storage') },
  { name: 'paths', test: ours('paths') },
  { name: 'copy-text', test: ours('ui/copy-text') },
  { name: 'trade-figures', test: ours('trades/(trade-slots|symbols)|format/(nanoseconds|decimal)') },
  {
    name: 'base',
    test: new RegExp(
      `${PACKAGES}|${QUERIES}|${
        ours(
          'platform|router|(session|settings)/use-[a-z-]+|session/features|settings/landing|language/use-language|theme/ThemeSwitch|' +
            'layouts/(SkipLink|use-page-title)|format/locale|ui/(Button|Dialog|ErrorPanel|Field|Input|Logo|Skeleton|Toasts)',
        ).source
      }`,
    ),
  },
  {
    name: 'dashboard',
    test: ours(
      'live/[a-z-]+|commands/(CommandCenter|commands|Keys)|' +
        'layouts/(Bell|DashboardNav|PlanSummary|ReachBanner|UserMenu|VerifyEmailHint)|pages/UnsavedGuard|ui/(Menu|Stat)',
    ),
  },
].map((group, at, all) => ({ ...group, priority: all.length - at }))

function ours(files: string): RegExp {
  return new RegExp(`web/src/(?:${files})[.]tsx?$`)
}
