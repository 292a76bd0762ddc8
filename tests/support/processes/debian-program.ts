/** Programs of the system that a test needs in addition to npm packages; `.ci/run` installs them. */
import { existsSync } from 'node:fs'

/**
 * Why a test that needs these programs is skipped; undefined if all are installed. In CI their
 * absence is a failure, so that no test is skipped unnoticed.
 */
export function missingPrograms(...files: string[]): string | undefined {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length === 0) return undefined
  const text = `NOT TESTED: ${missing.join(', ')} is not installed`
  if (process.env['CI']) throw new Error(text)
  process.stderr.write(`${text}\n`)
  return text
}
