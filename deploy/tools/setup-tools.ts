import { StartProblem } from '../local/start-problem.ts'
import { findTool } from './find-tool.ts'
import { installTool } from './install-tool.ts'
import { ALL_TOOLS, type Tool, TOOLS, type ToolGroup } from './tools.ts'

// npm run setup:tools [-- <group or name> …]: installs pinned programs that npm does not provide into .tapeline/tools.
const requested = process.argv.slice(2)
const unknown = requested.filter((word) => !isGroup(word) && !ALL_TOOLS.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`there is no tool ${unknown.join(', ')}; groups: ${Object.keys(TOOLS).join(', ')}`)
  process.exit(2)
}
let missing = 0
for (const tool of chosen(requested.length === 0 ? ['checks'] : requested)) {
  const found = findTool(tool.name)
  if (found === undefined) await install(tool)
  else console.log(`${tool.name}: ${found}`)
}
process.exitCode = missing > 0 ? 1 : 0

async function install(tool: Tool): Promise<void> {
  const startedAt = Date.now()
  console.log(`${tool.name}: ${tool.from.kind === 'go' ? 'building from source, this takes minutes' : 'downloading'}`)
  try {
    await installTool(tool)
    console.log(`${tool.name}: ${tool.version}, ${Math.round((Date.now() - startedAt) / 1_000)} s`)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    missing += 1
    console.error(error.line)
  }
}

function chosen(words: string[]): Tool[] {
  const isSelected = (tool: Tool, word: string) =>
    tool.name === word || (isGroup(word) && (TOOLS[word] as Tool[]).includes(tool))
  return ALL_TOOLS.filter((tool) => words.some((word) => isSelected(tool, word)))
}

function isGroup(word: string): word is ToolGroup {
  return Object.keys(TOOLS).includes(word)
}
