import pc from 'picocolors'
import { type ExitCode, exitCodes } from '../../exit-code.ts'
import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

interface Finding {
  check: string
  outcome: 'ok' | 'warn' | 'fail'
  text: string
  mend?: string
}

const marks = { ok: pc.green('✓'), warn: pc.yellow('!'), fail: pc.red('✕') }

/** Checks the installation. The exit code is 1 if something is broken; warnings do not count. */
export async function doctor(): Promise<ExitCode> {
  const findings: Finding[] = []
  await onServer(async (server) => {
    for await (const finding of server.examine()) {
      findings.push(finding)
      if (process.stdout.isTTY) process.stdout.write(`${line(finding)}\n`)
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
