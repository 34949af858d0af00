import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { REPOSITORY } from '../local/folders.ts'

/** Built or fetched by `npm run setup:tools`; belongs to the clone. */
export function toolsFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.TAPELINE_TOOLS_DIR || join(REPOSITORY, '.tapeline', 'tools')
}

/** The pinned one if it was set up, else the machine's own. */
export function findTool(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [toolsFolder(env), ...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
