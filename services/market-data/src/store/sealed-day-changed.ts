/** SQLSTATE of a serialization failure: consumers repeat such a transaction. */
export const SERIALIZATION_FAILURE = '40001'

/** New rows were stored on a day whose other rows are only in the lake: the transaction is rolled back and repeated. */
export class SealedDayChanged extends Error {
  readonly code = SERIALIZATION_FAILURE

  constructor(channel: string, instrumentId: number) {
    super(`${channel} of instrument ${instrumentId}: a sealed day must be restored from the lake first`)
    this.name = 'SealedDayChanged'
  }
}
