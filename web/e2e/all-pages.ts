import { paths } from '../src/paths.ts'
import { referencePath } from '../src/public/reference/reference-path.ts'

/** The viewer: signed-in users are redirected from visitor pages. */
type Viewer = 'visitor' | 'account'
export type ShownPage = { path: string; viewer: Viewer }

type Name = Exclude<keyof typeof paths, 'openApiDocument' | 'llmsText'>
/** A path missing here is a type error. */
const viewers: Record<Name, Viewer> = {
  home: 'visitor',
  login: 'visitor',
  signup: 'visitor',
  forgotPassword: 'visitor',
  resetPassword: 'visitor',
  trustDevice: 'visitor',
  verifyEmail: 'visitor',
  confirmEmail: 'visitor',
  accountExport: 'visitor',
  pricing: 'visitor',
  about: 'visitor',
  docs: 'visitor',
  docsAuthentication: 'visitor',
  docsLimits: 'visitor',
  docsErrors: 'visitor',
  docsPagination: 'visitor',
  docsMarketData: 'visitor',
  docsStreaming: 'visitor',
  docsSelfHosting: 'visitor',
  apiDocs: 'visitor',
  sdk: 'visitor',
  api: 'visitor',
  status: 'visitor',
  blog: 'visitor',
  blogGateway: 'visitor',
  blogLimits: 'visitor',
  careers: 'visitor',
  contact: 'visitor',
  help: 'visitor',
  community: 'visitor',
  support: 'visitor',
  privacy: 'visitor',
  terms: 'visitor',
  cookies: 'visitor',
  gdpr: 'visitor',
  profile: 'account',
  apiKeys: 'account',
  serviceKeys: 'account',
  metrics: 'account',
  settings: 'account',
  requests: 'account',
  auditTrail: 'account',
  market: 'account',
  downloads: 'account',
  webhooks: 'account',
  reports: 'account',
  plan: 'account',
  device: 'account',
  admin: 'account',
}

/** Pages of codes and of reference groups share a template: one of each kind is enough. */
const ONE_CODE = 'limit.minute_exceeded'
const MORE: ShownPage[] = [
  { path: referencePath('market-data'), viewer: 'visitor' },
  { path: referencePath('admin-tiers'), viewer: 'visitor' },
  { path: `${paths.docsErrors}/${ONE_CODE}`, viewer: 'visitor' },
  ...['configs', 'users', 'tiers', 'venues', 'replay', 'shadow'].map((tab): ShownPage => ({
    path: `${paths.admin}?tab=${tab}`,
    viewer: 'account',
  })),
]

/** Every page, as an admin or a visitor sees it; pages without sign-in come first. */
export const allPages: readonly ShownPage[] = [
  ...Object.entries(viewers).map(([name, viewer]): ShownPage => ({ path: paths[name as Name], viewer })),
  ...MORE,
].toSorted((a, b) => (a.viewer === b.viewer ? 0 : a.viewer === 'visitor' ? -1 : 1))
