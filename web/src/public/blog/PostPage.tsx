import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../format/date.ts'
import { paths } from '../../paths.ts'
import { ProsePage } from '../prose/ProsePage.tsx'
import { posts, type Post } from './posts.ts'

export function PostPage({ text }: { text: Post['text'] }) {
  const day = posts.find((one) => one.text === text)?.day ?? ''
  return (
    <ProsePage
      text={text}
      above={
        <p className="small faint">
          <a className="link" href={paths.blog}>
            <Trans>Blog</Trans>
          </a>{' '}
          <time dateTime={day}>{formatDate(day)}</time>
        </p>
      }
    />
  )
}
