import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CodeText } from './CodeText.tsx'
import { useCases } from './use-cases.ts'

export function UseCases() {
  return (
    <section className="site sect">
      <h2 className="with-list">
        <Trans>Four questions, and the answers you get</Trans>
      </h2>
      {useCases().map(({ title, text, request, answer }) => (
        <article className="case" key={title}>
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
          <CodeText label={t`${title}: request`}>{request}</CodeText>
          <CodeText label={t`${title}: response`}>{answer}</CodeText>
        </article>
      ))}
    </section>
  )
}
