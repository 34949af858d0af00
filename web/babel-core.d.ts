/** Babel 7 has no types of its own; this is what the build calls. */
declare module '@babel/core' {
  type Options = {
    babelrc: boolean
    configFile: boolean
    filename: string
    parserOpts: { plugins: string[] }
    plugins: unknown[]
  }
  export function transformAsync(code: string, options: Options): Promise<{ code?: string | null } | null>
}
