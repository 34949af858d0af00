import { createHash } from 'node:crypto'
import { parseSync, Visitor } from 'vite'

export const FAULT_KINDS = [
  'inverted comparison',
  'dropped await',
  'lost condition',
  'off by one',
  'swapped arguments',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

type Span = { start: number; end: number }
/** Replaces the text between two offsets by `to`. */
type Edit = Span & { kind: FaultKind; to: string }
/** An edit within one line, which counts from 1 and reads `before` and `after` it. */
export type Fault = Edit & { file: string; line: number; before: string; after: string }

const INVERTED: Readonly<Record<string, string>> = {
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '===': '!==',
  '!==': '===',
}
const OFF_BY_ONE: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])
const PER_PART_MAX = 3
const SWAPPED = new Set(['Identifier', 'MemberExpression', 'Literal'])
/** Calls whose result does not depend on the order of arguments, or whose arguments are for people. */
const ORDERLESS = /^(?:Math\.(?:max|min)|.*\b(?:log|logger)\.\w+)$/

/** All faults that can be made in one TypeScript file, in the order of their place. */
export function findFaults(file: string, text: string): Fault[] {
  const edits: Edit[] = []
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const returned = new Set<number>()
  const operatorOf = ({ left, right, operator }: { left: Span; right: Span; operator: string }): Span => {
    const start = left.end + text.slice(left.end, right.start).indexOf(operator)
    return { start, end: start + operator.length }
  }
  new Visitor({
    ReturnStatement: ({ argument }) => void (argument?.type === 'AwaitExpression' && returned.add(argument.start)),
    AwaitExpression: ({ start, argument }) => {
      // The caller awaits the returned promise.
      if (!returned.has(start)) edits.push({ kind: 'dropped await', start, end: argument.start, to: '' })
    },
    BinaryExpression: (node) => {
      const operator = operatorOf(node)
      const inverted = INVERTED[node.operator]
      if (inverted !== undefined) edits.push({ kind: 'inverted comparison', ...operator, to: inverted })
      const beside = OFF_BY_ONE[node.operator]
      if (beside !== undefined) edits.push({ kind: 'off by one', ...operator, to: beside })
      const isStep = node.operator === '+' || node.operator === '-'
      if (isStep && textOf(node.right) === '1') {
        edits.push({ kind: 'off by one', start: node.left.end, end: node.right.end, to: '' })
      }
    },
    IfStatement: ({ test, consequent, alternate }) => {
      if (alternate !== null) return
      const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
      const isGuard = last !== undefined && LEAVES.has(last.type)
      edits.push({ kind: 'lost condition', start: test.start, end: test.end, to: isGuard ? 'false' : 'true' })
    },
    LogicalExpression: ({ left, right, operator }) => {
      if (operator === '&&') edits.push({ kind: 'lost condition', start: left.end, end: right.end, to: '' })
    },
    CallExpression: ({ callee, arguments: [first, second] }) => {
      if (first === undefined || second === undefined || ORDERLESS.test(textOf(callee))) return
      if (!SWAPPED.has(first.type) || !SWAPPED.has(second.type) || textOf(first) === textOf(second)) return
      const to = textOf(second) + text.slice(first.end, second.start) + textOf(first)
      edits.push({ kind: 'swapped arguments', start: first.start, end: second.end, to })
    },
  }).visit(parseSync(file, text).program)
  return edits.filter((edit) => !textOf(edit).includes('\n')).map((edit) => toFault(file, text, edit))
}

export function applyEdit(text: string, { start, end, to }: Edit): string {
  return text.slice(0, start) + to + text.slice(end)
}

/**
 * The faults to try: of each kind the same number, at most one of a kind per file and three per part. A hash of the seed
 * and the line selects them, so that changes elsewhere in the sources do not affect the selection.
 */
export function pickFaults(faults: readonly Fault[], { seed, perKind }: { seed: number; perKind: number }): Fault[] {
  const rank = ({ kind, file, before, after }: Fault) =>
    createHash('sha256').update([seed, kind, file, before, after].join('\n')).digest('hex')
  const ranked = faults.map((fault) => ({ fault, at: rank(fault) })).sort((a, b) => (a.at < b.at ? -1 : 1))
  return FAULT_KINDS.flatMap((kind) => {
    const perPlace = new Map<string, number>()
    const isFree = (place: string, most: number) => (perPlace.get(place) ?? 0) < most
    const picked: Fault[] = []
    for (const { fault } of ranked) {
      const { file } = fault
      const part = partOf(file)
      if (fault.kind !== kind || !isFree(file, 1) || !isFree(part, PER_PART_MAX)) continue
      for (const place of [file, part]) perPlace.set(place, (perPlace.get(place) ?? 0) + 1)
      picked.push(fault)
    }
    return picked.slice(0, perKind)
  })
}

/** `gateway`, or a service or lib with its folder. */
export function partOf(file: string): string {
  return file.split('/src/')[0] ?? file
}

function toFault(file: string, text: string, edit: Edit): Fault {
  const lineOf = (whole: string) => {
    const lineEnd = whole.indexOf('\n', edit.start)
    return whole.slice(whole.lastIndexOf('\n', edit.start - 1) + 1, lineEnd === -1 ? undefined : lineEnd).trim()
  }
  const line = text.slice(0, edit.start).split('\n').length
  return { ...edit, file, line, before: lineOf(text), after: lineOf(applyEdit(text, edit)) }
}
