/**
 * The packages that an installation hands out itself. Their names are not on the npm
 * registry, so whatever tells a person how to get one names its file and nothing else.
 */
import type { Site } from './site.ts'

/** The name a program imports; the manifest in `sdk/` bears the same. */
export const sdkPackage = '@crier-mail/sdk'

/** Where an installation serves each package, ready for `npm install`. */
export const packageFiles = { sdk: '/sdk.tgz', cli: '/cli.tgz' } as const

/** The command that installs the library for TypeScript and JavaScript in a program's folder. */
export function installSdk({ appUrl }: Site): string {
  return `npm install ${appUrl}${packageFiles.sdk}`
}

/** The command that installs the command line for the user of a machine. */
export function installCli({ appUrl }: Site): string {
  return `npm install --global ${appUrl}${packageFiles.cli}`
}
