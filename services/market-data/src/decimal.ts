const DECIMAL = /^-?\d+(?:\.\d+)?$/
const [ZERO, MINUS] = [48, 45]

/** Canonical text of a decimal: no exponent, no leading or trailing zeros; undefined for any other text. */
export function canonicalDecimal(text: string): string | undefined {
  if (!DECIMAL.test(text)) return undefined
  const isNegative = text.charCodeAt(0) === MINUS
  const point = text.indexOf('.')
  const wholeEnd = point === -1 ? text.length : point
  let start = isNegative ? 1 : 0
  while (start < wholeEnd - 1 && text.charCodeAt(start) === ZERO) start += 1
  const digits = text.slice(start, endOfFraction(text, point))
  if (digits === '0') return '0'
  return isNegative ? `-${digits}` : digits
}

function endOfFraction(text: string, point: number): number {
  let end = text.length
  if (point === -1) return end
  while (text.charCodeAt(end - 1) === ZERO) end -= 1
  return end === point + 1 ? point : end
}

/** Order of two canonical decimals, exact at any length. */
export function compareDecimals(left: string, right: string): number {
  const isLeftNegative = left.startsWith('-')
  const isRightNegative = right.startsWith('-')
  if (isLeftNegative !== isRightNegative) return isLeftNegative ? -1 : 1
  return isLeftNegative ? compareDigits(right.slice(1), left.slice(1)) : compareDigits(left, right)
}

function compareDigits(left: string, right: string): number {
  const [leftWhole = '', leftRest = ''] = left.split('.')
  const [rightWhole = '', rightRest = ''] = right.split('.')
  if (leftWhole.length !== rightWhole.length) return leftWhole.length - rightWhole.length
  if (leftWhole !== rightWhole) return leftWhole < rightWhole ? -1 : 1
  if (leftRest === rightRest) return 0
  return leftRest < rightRest ? -1 : 1
}
