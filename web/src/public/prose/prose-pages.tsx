import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { posts } from '../blog/posts.ts'
import { BlogPage } from '../blog/BlogPage.tsx'
import { PostPage } from '../blog/PostPage.tsx'
import type { PublicPage } from '../public-page.ts'
import { ProsePage } from './ProsePage.tsx'
import { readProse } from './read-prose.ts'

/** Pages of web/prose, in the words of their texts. */
export const prosePages: readonly PublicPage[] = [
  { ...page('about', paths.about, undefined, <GetStarted />), isForVisitors: true },
  page('careers', paths.careers),
  page('community', paths.community),
  page('support', paths.support),
  page('privacy', paths.privacy, <Template />),
  page('terms', paths.terms, <Template />),
  page('cookies', paths.cookies, <Template />),
  page('gdpr', paths.gdpr, <Template />),
  { ...wordsOf('blog'), path: paths.blog, Page: BlogPage },
  ...posts.map(({ text, path }) => ({
    ...wordsOf(text),
    path,
    Page: () => <PostPage text={text} />,
  })),
]

function page(text: string, path: string, note?: ReactNode, below?: ReactNode): PublicPage {
  return {
    ...wordsOf(text),
    path,
    Page: () => (
      <ProsePage text={text} note={note}>
        {below}
      </ProsePage>
    ),
  }
}

function wordsOf(text: string): Pick<PublicPage, 'title' | 'description'> {
  return { title: () => readProse(text).title, description: () => readProse(text).description }
}

function GetStarted() {
  return (
    <p className="get-started">
      <a className={buttonClass({ variant: 'primary', size: 'large' })} href={paths.signup}>
        <Trans>Get Started</Trans>
      </a>
    </p>
  )
}

/** Statements about the software apply to every installation; the responsible party depends on the installation. */
function Template() {
  return (
    <p className="banner warn">
      <span>
        <Trans>
          A template for the operator of this site. Its statements about the software are true for the software as
          shipped. The operator adds their identity, and has the text reviewed for their country.
        </Trans>
      </span>
    </p>
  )
}
