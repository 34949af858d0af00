type ChunkGroup = { name: string; test: RegExp; priority: number }

const PACKAGES = String.raw`node_modules/(?:react|react-dom|scheduler|react-router|react-router-dom|@lingui/react)/`
/** Used on sign-in and in the dashboard. */
const ICONS = String.raw`lucide-react/dist/esm/icons/(?:menu|eye|eye-off)[.]`
const DASHBOARD_ICONS = String.raw`lucide-react/dist/esm/icons/(?:panel-left|pencil)[.]`
/** Infinite queries are not needed everywhere. */
const QUERIES = String.raw`node_modules/@tanstack/(?!.*nfinite)`

/**
 * Which modules share a chunk. Without groups, a page of the dashboard is fifty small files, each a separate request and
 * in total a tenth larger. Modules that public pages need are separate, because those pages load no React.
 * weights.test.ts checks the resulting sizes and numbers of files.
 */
export const chunkGroups: ChunkGroup[] = [
  {
    name: 'site',
    test: new RegExp(
      `preload-helper|rolldown.runtime|${
        ours('api/api-base|theme/theme|observable|browser-storage|paths|ui/copy-text|layouts/start-menu').source
      }`,
    ),
  },
  {
    name: 'api',
    test: new RegExp(`${ours('api/(client|across-tabs)|session/stored-session|language/i18n').source}|@lingui/core`),
  },
  { name: 'islands', test: ours('islands/parts/(call|words|poll)') },
  { name: 'trade-figures', test: ours('trades/(trade-slots|symbols)|format/(nanoseconds|decimal)') },
  {
    name: 'base',
    test: new RegExp(
      `${PACKAGES}|${ICONS}|${
        ours(
          'pause|platform|router|(session|settings)/use-[a-z-]+|session/features|language/use-language|theme/Theme(?:Icons|Switch)|' +
            'layouts/(SkipLink|lazy-verify-email-hint|use-page-title)|format/(date|locale)|pages/focus-field|' +
            'ui/(Button|Checkbox|Field|focus-main|Input|Logo|Tape|toasts/Toasts|hooks/use-is-started)',
        ).source
      }`,
    ),
  },
  {
    // In the dashboard only dialogs need parts of it.
    name: 'sign-in',
    test: ours('layouts/TradeLanes|pages/(EmailField|use-early-input|use-search)|format/is-email|ui/PasswordInput'),
  },
  {
    name: 'dashboard',
    test: new RegExp(
      `${QUERIES}|${DASHBOARD_ICONS}|${
        ours(
          'queries|live/usage-activity|settings/renew-push|commands/(CommandCenter|commands|Keys)|session/role-names|pages/UnsavedGuard|ui/(Dialog|ErrorPanel|Menu|Skeleton|Stat|save-file)|' +
            'pages/(api-keys/api-keys|profile/profile)[.]queries|api/plan[.]queries|' +
            'layouts/(Bell|DashboardNav|PlanSummary|UnreachableBanner|UserMenu)',
        ).source
      }`,
    ),
  },
  {
    // Small modules of several pages: each further file would be named in the first load.
    name: 'shared',
    test: ours('api/(keep-answer|pricing[.]queries)|ui/TimeInput|format/(day|zoned-time)'),
  },
].map((group, at, all) => ({ ...group, priority: all.length - at }))

function ours(files: string): RegExp {
  return new RegExp(`web/src/(?:${files})[.]tsx?$`)
}
