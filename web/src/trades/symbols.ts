/** BTC-USDT → base BTC, quote USDT. */
export function splitSymbol(symbol: string): { base: string; quote: string } {
  const [base = symbol, quote = ''] = symbol.split('-')
  return { base, quote }
}
