/**
 * Prints the server's files that run for its most frequent work (tests/paths/support/scenes.ts), and
 * how many of their lines: `npx node --conditions=crier-source scripts/paths.ts [SCENE ...]`.
 */
import { startCoverage } from '../tests/paths/support/coverage.ts'

const coverage = await startCoverage()
const { globalSetup, globalTeardown } = await import('../tests/support/global-setup.ts')
const { linesOf, measurePaths } = await import('../tests/paths/support/measure.ts')

const names = process.argv.slice(2)

await globalSetup()
try {
  const paths = await measurePaths(coverage, names.length > 0 ? names : undefined)
  for (const { name, modules, lib } of paths) {
    console.log(`${name}: ${modules.length} files of modules, ${linesOf(modules)} lines`)
    for (const { file, lines } of modules) console.log(`  ${String(lines).padStart(5)}  ${file}`)
    console.log(`  and ${lib.length} files of lib/, ${linesOf(lib)} lines`)
    for (const { file, lines } of lib) console.log(`  ${String(lines).padStart(5)}  ${file}`)
  }
} finally {
  await globalTeardown()
}
