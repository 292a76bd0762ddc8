/** The sources for the architecture tests: the list of files, and their imports. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

export function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist|generated)\//.test(file))
}

export const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

export interface Import {
  from: string
  /** A path within the repository, or the bare name of a package. */
  to: string
}

// `import x from`, `export { x } from`, `import 'x'`, `import('x')`: whole statements, so that
// words in comments and texts do not count.
const statement =
  /^(?:import|export)\s+(?:type\s+)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

export function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(statement)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    const to = target.startsWith('.') ? path.join(path.dirname(file), target) : target
    return { from: file, to }
  })
}

export const isTest = (file: string) => file.endsWith('.test.ts')

export const serverFiles = filesBelow('server/src').filter((file) => !isTest(file))
export const serverImports = serverFiles.flatMap(importsOf)

/** `server/src/oauth/token/refresh.ts` belongs to the module `oauth`; a file beside is its own. */
export function moduleOf(file: string): string {
  const [, , name = '', more] = file.split('/')
  return more === undefined ? name.replace(/\.ts$/, '') : name
}
