/**
 * The Chromium of Debian's packages `chromium-headless-shell` and `chromium`. The first has no
 * windows of its own to draw and does the same for half of the processor's time.
 */
import { existsSync } from 'node:fs'

const executables = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'] as const

/** The one to start. */
export const chromiumPath: string = executables.find((file) => existsSync(file)) ?? executables[0]

/** Why tests in a browser are skipped, or false. In CI a missing browser is a failure instead. */
export const withoutBrowser: string | false =
  existsSync(chromiumPath) || process.env['CI'] === 'true'
    ? false
    : `there is no ${executables.join(' or ')}: install one to run the tests in a real browser`
