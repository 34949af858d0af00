/** New rows were stored on a day whose other rows are only in the lake: the transaction is rolled back and repeated. */
export class SealedDayChanged extends Error {
  constructor(channel: string, instrumentId: number) {
    super(`${channel} of instrument ${instrumentId}: a sealed day must be restored from the lake first`)
    this.name = 'SealedDayChanged'
  }
}
