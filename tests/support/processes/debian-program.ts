/** Programs of the system that a test needs beside npm's packages; `.ci/run` installs them. */
import { existsSync } from 'node:fs'

/**
 * Why a test that needs these programs is skipped here; undefined where all are there.
 * Where CI runs their absence is a failure, so that a proof never goes missing unseen.
 */
export function missingPrograms(...files: string[]): string | undefined {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length === 0) return undefined
  const text = `NOT TESTED: ${missing.join(', ')} is not installed`
  if (process.env['CI']) throw new Error(text)
  process.stderr.write(`${text}\n`)
  return text
}
