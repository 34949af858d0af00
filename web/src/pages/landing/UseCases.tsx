import { CodeText } from './CodeText.tsx'
import { USE_CASES } from './use-cases.ts'

export function UseCases() {
  return (
    <section className="site sect">
      <h2 className="with-list">Four questions, and the answers you get</h2>
      {USE_CASES.map((useCase) => (
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
