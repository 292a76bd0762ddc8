/** The version of this package, as its manifest says it; the sources and the build lie one level below it. */
import { readFileSync } from 'node:fs'

export function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
