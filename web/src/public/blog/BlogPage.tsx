import { formatDate } from '../../format/date.ts'
import { readProse } from '../prose/read-prose.ts'
import { posts } from './posts.ts'

export function BlogPage() {
  const { title, description } = readProse('blog')
  return (
    <div className="site prose">
      <h1>{title}</h1>
      <p className="lead">{description}</p>
      {posts.map(({ text, path, day }) => {
        const post = readProse(text)
        return (
          <section key={path} className="post">
            <p className="small faint">
              <time dateTime={day}>{formatDate(day)}</time>
            </p>
            <h2>
              <a href={path}>{post.title}</a>
            </h2>
            <p>{post.description}</p>
          </section>
        )
      })}
    </div>
  )
}
