import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

type Part = { start: number; end: number }

const MACRO_PACKAGE = /^@lingui\/(?:core|react)\/macro$/

/**
 * The macro imports and the outermost expressions that use them, in order; the whole code if a macro's name is used in
 * another way, because then only its scope shows which uses are the macro's.
 */
export function findMacros(code: string, file: string): Part[] {
  const { program } = parseSync(file, code)
  const imports = program.body.filter(
    (statement) => statement.type === 'ImportDeclaration' && MACRO_PACKAGE.test(statement.source.value),
  )
  const names = new Set(imports.flatMap(localNames))
  const parts: Part[] = imports.map(({ start, end }) => ({ start, end }))
  let isAmbiguous = false
  let reached = 0
  const take = ({ start, end }: Part, name: string | undefined): void => {
    if (start < reached || name === undefined || !names.has(name)) return
    parts.push({ start, end })
    reached = end
  }
  const check = ({ start, name }: { start: number; name: string }): void => {
    if (start >= reached && names.has(name) && !imports.some((one) => start > one.start && start < one.end))
      isAmbiguous = true
  }
  new Visitor({
    TaggedTemplateExpression: (node) => take(node, nameOf(node.tag)),
    CallExpression: (node) => take(node, nameOf(node.callee)),
    JSXElement: (node) => take(node, nameOf(node.openingElement.name)),
    Identifier: check,
    JSXIdentifier: check,
  }).visit(program)
  return isAmbiguous ? [{ start: 0, end: code.length }] : parts
}

function localNames(statement: ESTree.Directive | ESTree.Statement): string[] {
  return statement.type === 'ImportDeclaration' ? statement.specifiers.map(({ local }) => local.name) : []
}

function nameOf(node: ESTree.Expression | ESTree.JSXElementName): string | undefined {
  return node.type === 'Identifier' || node.type === 'JSXIdentifier' ? node.name : undefined
}
