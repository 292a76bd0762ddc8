/**
 * The packages that an installation serves itself. Their names are not on the npm registry, so
 * every instruction for getting one names only its file.
 */
import { version } from '../version.ts'
import type { Site } from './site.ts'

/** The name that a program imports. The manifest in `sdk/` has the same name. */
export const sdkPackage = '@crier-mail/sdk'

/** The paths that lead to the current packages. */
export const packageFiles = { sdk: '/sdk.tgz', cli: '/cli.tgz' } as const

/** The path of the package of this release, which a lock file may name for ever. */
export function packagePath(name: keyof typeof packageFiles): string {
  return `/packages/${name}-${version.slice(1)}.tgz`
}

/** The command that installs the library for TypeScript and JavaScript in a program's folder. */
export function installSdk({ appUrl }: Site): string {
  return `npm install ${appUrl}${packagePath('sdk')}`
}

/** The command that installs the command line for the user of a machine. */
export function installCli({ appUrl }: Site): string {
  return `npm install --global ${appUrl}${packagePath('cli')}`
}
