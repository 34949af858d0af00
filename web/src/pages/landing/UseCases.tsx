import { useState } from 'react'
import { CodeText } from './CodeText.tsx'
import { useCasesOf } from './use-cases.ts'

export function UseCases() {
  const [openedMs] = useState(() => Date.now())
  return (
    <section className="site sect">
      <h2 className="with-list">Four questions, and the answers you get</h2>
      {useCasesOf(openedMs).map((useCase) => (
        <article className="case" key={useCase.title}>
          <div>
            <h3>{useCase.title}</h3>
            <p>{useCase.text}</p>
          </div>
          <CodeText label={`${useCase.title}: request`}>{useCase.request}</CodeText>
          <CodeText label={`${useCase.title}: answer`}>{useCase.answer}</CodeText>
        </article>
      ))}
    </section>
  )
}
