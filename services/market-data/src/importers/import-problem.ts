/** What is wrong with a file, in words for the operator who started the import. */
export class ImportProblem extends Error {
  constructor(file: string, line: number | undefined, what: string) {
    super(line === undefined ? `${file}: ${what}` : `${file}, line ${line}: ${what}`)
    this.name = 'ImportProblem'
  }
}
