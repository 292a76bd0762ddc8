/** All checks of `crier doctor`, in the order in which problems would appear. */
import { availableParallelism } from 'node:os'
import {
  backupDiskFinding,
  diskFinding,
  journalFinding,
  nearestFolder,
} from '../checks/check-folders.ts'
import { backupFinding, bounceFinding, namesFinding } from '../checks/check-outside.ts'
import { storageFinding } from '../checks/check-storage.ts'
import type { Finding } from '../checks/finding.ts'
import type { Config } from '../config.ts'
import { companyFinding } from './check-company.ts'
import { databaseFindings } from './check-database.ts'
import { exposureFindings } from './check-exposure.ts'
import { dataDirFinding, nodeFinding, secretFinding, threadPoolFinding } from './check-machine.ts'
import { mailFindings } from './check-mail.ts'
import { portFinding, publicFindings } from './check-network.ts'
import { reportFindings } from './check-reports.ts'
import { readSettings } from './check-settings.ts'
import { textsFinding } from './check-texts.ts'
import type { Env } from './environment.ts'

export type { Finding } from '../checks/finding.ts'

/** Yields the findings one by one, slow checks last. Nothing is changed or created. */
export async function* findings(env: Env): AsyncGenerator<Finding> {
  yield nodeFinding(process.versions.node)
  yield threadPoolFinding(availableParallelism(), process.env['UV_THREADPOOL_SIZE'])
  const settings = readSettings(env)
  yield* settings.findings
  // Without valid settings no other check is possible.
  if (settings.config) yield* installationFindings(settings.config)
}

async function* installationFindings(config: Config): AsyncGenerator<Finding> {
  yield* publicFindings(config)
  yield* exposureFindings(config)
  yield dataDirFinding(config.dataDir)
  yield await diskFinding(nearestFolder(config.dataDir))
  yield await journalFinding(config.dataDir)
  yield secretFinding(config)
  yield await portFinding(config)
  yield* databaseFindings(config)
  yield await storageFinding(config)
  yield await backupFinding(config, new Date())
  const backupDisk = await backupDiskFinding(config)
  if (backupDisk) yield backupDisk
  yield* mailFindings(config)
  yield* reportFindings(config)
  yield await textsFinding(config)
  yield await namesFinding(config)
  yield await bounceFinding(config)
  const company = await companyFinding(config)
  if (company) yield company
}
