/** A sealed file is corrupt: its bytes differ from those that were written. */
export class DamagedFile extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DamagedFile'
  }
}
