/** What an operator is told who sets a collector where OpenTelemetry's packages are not installed. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../lib/db/start-error.ts'

const server = path.join(import.meta.dirname, '../..')
const checkout = path.join(server, '..')

/** Loads what imports the packages. Where one of them is missing, says how to install all of them. */
export async function withTracePackages<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@opentelemetry/')) throw error
    throw new StartError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that send traces are not installed. ` +
        `Install them and start again:\n${installCommand()}\nOr remove the setting.`,
    )
  }
}

/** The versions are those with which traces are tested. */
export function installCommand(): string {
  const manifest = JSON.parse(readFileSync(path.join(server, 'package.json'), 'utf8')) as {
    peerDependencies: Record<string, string>
  }
  const packages = Object.entries(manifest.peerDependencies).map(
    ([name, range]) => `${name}@${range.replace('^', '')}`,
  )
  return `cd ${checkout} && npm install --no-save --omit=dev --ignore-scripts ${packages.join(' ')}`
}
