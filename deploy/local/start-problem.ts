/** What keeps the platform from starting, and what to do about it: shown as one line, never as a stack. */
export class StartProblem extends Error {
  readonly remedy: string

  constructor(what: string, remedy: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'StartProblem'
    this.remedy = remedy
  }

  get line(): string {
    return `${this.message} ${this.remedy}`
  }
}
