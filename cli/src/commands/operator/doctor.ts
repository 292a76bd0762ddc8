import pc from 'picocolors'
import { type ExitCode, exitCodes } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

interface Finding {
  check: string
  outcome: 'ok' | 'warn' | 'fail'
  text: string
  mend?: string
}

const marks = { ok: pc.green('✓'), warn: pc.yellow('!'), fail: pc.red('✕') }

export interface DoctorOptions {
  /** True without an address. */
  mail?: string | true
  relay?: string
  wait?: string
}

const defaultWait = 300
const longestWait = 3600

/** Checks the installation. The exit code is 1 if something is broken; warnings do not count. */
export async function doctor({ mail, relay, wait }: DoctorOptions): Promise<ExitCode> {
  const waitSeconds = wait === undefined ? defaultWait : Number(wait)
  if (!Number.isInteger(waitSeconds) || waitSeconds < 1 || waitSeconds > longestWait) {
    throw new CommandError('invalid_request', `--wait must be 1 to ${longestWait} seconds.`)
  }
  if (mail === undefined && (relay ?? wait) !== undefined) {
    throw new CommandError('invalid_request', '--relay and --wait go with --mail.')
  }
  const findings: Finding[] = []
  const found = (finding: Finding) => {
    findings.push(finding)
    if (process.stdout.isTTY) process.stdout.write(`${line(finding)}\n`)
  }
  await onServer(async (server) => {
    if (mail === undefined) for await (const finding of server.examine()) found(finding)
    else {
      const to = mail === true ? undefined : mail
      // Progress is for a person; stdout may be read by a program.
      const say = (text: string) => process.stderr.write(`${text}\n`)
      await server.examineMail({ to, relay, waitSeconds }, { say, found })
    }
  })
  if (!process.stdout.isTTY) print({ findings })
  const broken = findings.some(({ outcome }) => outcome === 'fail')
  return broken ? exitCodes.failed : exitCodes.ok
}

function line({ check, outcome, text, mend }: Finding): string {
  const found = `${marks[outcome]} ${check.padEnd(14)}  ${text}`
  return mend === undefined ? found : `${found}\n  ${' '.repeat(14)}  ${pc.cyan(mend)}`
}
