/** The version in this package's manifest, one level above both the sources and the build. */
import { readFileSync } from 'node:fs'

export function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
