/**
 * The packages that an installation serves itself. Their names are not on the npm registry, so
 * every instruction for getting one names only its file.
 */
import type { Site } from './site.ts'

/** The name that a program imports. The manifest in `sdk/` has the same name. */
export const sdkPackage = '@crier-mail/sdk'

/** The paths at which an installation serves the packages, ready for `npm install`. */
export const packageFiles = { sdk: '/sdk.tgz', cli: '/cli.tgz' } as const

/** The command that installs the library for TypeScript and JavaScript in a program's folder. */
export function installSdk({ appUrl }: Site): string {
  return `npm install ${appUrl}${packageFiles.sdk}`
}

/** The command that installs the command line for the user of a machine. */
export function installCli({ appUrl }: Site): string {
  return `npm install --global ${appUrl}${packageFiles.cli}`
}
