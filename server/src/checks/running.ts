/** The checks of `crier doctor` that a running service can make of itself, without any harm. */
import type { Config } from '../config.ts'
import type { Database } from '../lib/db/types.ts'
import { durabilityFinding } from './check-data.ts'
import { volumeFinding } from './check-domains.ts'
import { backupDiskFinding } from './check-folders.ts'
import { addressesFinding, clockFinding, clockJumpFinding } from './check-nodes.ts'
import { backupFinding, bounceFinding, namesFinding } from './check-outside.ts'
import { ownersFinding, refusalsFinding } from './check-owners.ts'
import { storageFinding } from './check-storage.ts'
import { type Finding, warn } from './finding.ts'

/** A server elsewhere that takes longer than this is told as one that does not answer. */
const patienceMs = 3_000

export async function runningFindings(db: Database, config: Config, now: Date): Promise<Finding[]> {
  const inTime = (check: string, finding: Promise<Finding>) =>
    Promise.race([finding, lateFinding(check)]).catch(() => unknown(check))
  const backupDisk = await backupDiskFinding(config).catch(() => unknown('backup disk'))
  const volume = await volumeFinding(db)
  const jump = await clockJumpFinding(db, now)
  const owners = await ownersFinding(db)
  const refusals = await refusalsFinding(db, { issuer: config.companySignIn?.issuer, now })
  return [
    ...(volume ? [volume] : []),
    ...(owners ? [owners] : []),
    ...(refusals ? [refusals] : []),
    await durabilityFinding(db),
    await clockFinding(db),
    ...(jump ? [jump] : []),
    await addressesFinding(db, config),
    await backupFinding(config, now),
    ...(backupDisk ? [backupDisk] : []),
    ...(await Promise.all([
      inTime('files', storageFinding(config)),
      inTime('public names', namesFinding(config)),
      inTime('bounces', bounceFinding(config)),
    ])),
  ]
}

function lateFinding(check: string): Promise<Finding> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(unknown(check)), patienceMs).unref()
  })
}

const unknown = (check: string) =>
  warn(check, 'no answer came in time', 'Run crier doctor on the server, which waits longer.')
