const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** Canonical text of a decimal: no exponent, no leading or trailing zeros; undefined when it is none. */
export function canonicalDecimal(text: string): string | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign = '', integer = '', fraction = ''] = match
  const whole = integer.replace(/^0+(?=\d)/, '')
  const rest = fraction.replace(/0+$/, '')
  const digits = rest === '' ? whole : `${whole}.${rest}`
  return digits === '0' ? '0' : sign + digits
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
