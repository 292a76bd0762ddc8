/**
 * Makes the packages of the SDK and the command line once, in `packages/`, so that an image offers them
 * without the compiler.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const { buildPackage } = await import('../server/src/http/packages/build.ts')
const folder = path.join(import.meta.dirname, '../packages')
mkdirSync(folder, { recursive: true })
for (const name of ['sdk', 'cli']) {
  writeFileSync(path.join(folder, `${name}.tgz`), await buildPackage(name))
}
