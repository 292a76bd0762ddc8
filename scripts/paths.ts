/**
 * Prints the server's files that run while a contact is saved, a webhook is delivered and a mail of
 * a campaign is sent, and how many of their lines run: `npx node --conditions=crier-source
 * scripts/paths.ts`.
 */
import { startCoverage } from '../tests/paths/support/coverage.ts'

const coverage = await startCoverage()
const { globalSetup, globalTeardown } = await import('../tests/support/global-setup.ts')
const { linesOf, measurePaths } = await import('../tests/paths/support/measure.ts')

await globalSetup()
try {
  for (const { name, modules, lib } of await measurePaths(coverage)) {
    console.log(`${name}: ${modules.length} files of modules, ${linesOf(modules)} lines`)
    for (const { file, lines } of modules) console.log(`  ${String(lines).padStart(5)}  ${file}`)
    console.log(`  and ${lib.length} files of lib/, ${linesOf(lib)} lines`)
    for (const { file, lines } of lib) console.log(`  ${String(lines).padStart(5)}  ${file}`)
  }
} finally {
  await globalTeardown()
}
