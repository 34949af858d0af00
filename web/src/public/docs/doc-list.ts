import { paths } from '../../paths.ts'

/** The pages that are texts: their URL, and the file in docs/text. */
export const docTexts = [
  { path: paths.docs, text: 'quickstart' },
  { path: paths.docsAuthentication, text: 'authentication' },
  { path: paths.docsLimits, text: 'limits' },
  { path: paths.docsErrors, text: 'errors' },
  { path: paths.docsPagination, text: 'pagination' },
  { path: paths.docsMarketData, text: 'market-data' },
  { path: paths.docsStreaming, text: 'streaming' },
  { path: paths.docsSelfHosting, text: 'self-hosting' },
  { path: paths.api, text: 'api' },
  { path: paths.sdk, text: 'sdk' },
  { path: paths.help, text: 'help' },
] as const

export type DocTextName = (typeof docTexts)[number]['text']
