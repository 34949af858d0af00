/** The bytes of a sealed file are not those that were written. */
export class DamagedFile extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DamagedFile'
  }
}
