/** The reason why the platform cannot start, and the remedy; shown as one line without a stack. */
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
