import { msg } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { referenceGroups, referencePath } from '../reference/reference-path.ts'
import type { PublicPage } from '../public-page.ts'
import { groupDescription, groupTitle } from '../reference/group-words.ts'
import { GroupPage } from '../reference/GroupPage.tsx'
import { ReferencePage } from '../reference/ReferencePage.tsx'
import { docTexts } from './doc-list.ts'
import { DocPage } from './DocPage.tsx'
import { errorCodes } from './error-texts.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { readText } from './read-text.ts'

const STYLES = ['src/public/docs/docs.css', 'src/public/docs/reference.css']

/** The documentation: texts, a page per error code, the reference. */
export const docsPages: readonly PublicPage[] = [
  ...docTexts.map(({ path, text }): PublicPage => ({
    path,
    title: () => readText(text).title,
    description: () => readText(text).description,
    Page: () => <DocPage text={text} />,
    styles: STYLES,
  })),
  ...errorCodes.map((code): PublicPage => ({
    path: `${paths.docsErrors}/${code}`,
    title: () => code,
    description: () => readText('codes').description,
    Page: () => <ErrorPage code={code} />,
    styles: STYLES,
  })),
  {
    path: paths.apiDocs,
    title: msg`API reference`,
    description: msg`Every call of the API: access, parameters, response and errors, with samples in curl, TypeScript and Python.`,
    Page: ReferencePage,
    styles: STYLES,
  },
  ...[...referenceGroups.api, ...referenceGroups.admin].map((group): PublicPage => ({
    path: referencePath(group),
    title: () => groupTitle(group),
    description: () => groupDescription(group),
    Page: () => <GroupPage group={group} />,
    styles: STYLES,
  })),
]
