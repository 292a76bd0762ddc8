/** What a backup is made of: the embedded database, or (server-source.ts) a server at DATABASE_URL. */
import { type BaseBackup, takeBaseBackup } from '../../lib/backup/base-backup.ts'
import { tarName } from '../../lib/backup/copy-files.ts'
import { dumpName } from '../../lib/backup/dump.ts'
import type { OwnServer } from '../../lib/postgres/open.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type BackupFacts, type BackupKind, nameOf } from '../model/backup.ts'
import type { Progress } from '../places/place.ts'
import { type Verified, verifyCopy } from './verify.ts'

/** The packed file of a backup, beside its facts. */
export const contentOf = ({ kind }: Pick<BackupFacts, 'kind'>): string =>
  kind === 'dump' ? dumpName : tarName

export interface Content extends BaseBackup {
  kind: BackupKind
  /** The major version of the PostgreSQL that can read it. */
  postgres: number
}

export interface Making {
  /** An empty folder, which receives the content. */
  folder: string
  startedAt: Date
  onProgress: Progress
}

export interface Unverified {
  /** Why this machine cannot verify it. */
  why: string
}

export interface BackupSource {
  /** The folder of this machine in which copies are verified. */
  home: string
  make(making: Making): Promise<Content>
  /** Throws a BackupFault that says what is wrong with the backup. */
  verify(facts: BackupFacts, packed: AsyncIterable<Uint8Array>): Promise<Verified | Unverified>
}

export const isVerified = (result: Verified | Unverified): result is Verified => 'counts' in result

interface SourceDeps {
  own: OwnServer
  clock: Clock
  secret: string
}

export function embeddedSource({ own, clock, secret }: SourceDeps): BackupSource {
  return {
    home: own.home,
    make: async ({ folder, startedAt, onProgress }) => ({
      ...(await takeBaseBackup({
        connection: own.superuser,
        folder,
        label: `crier ${nameOf(startedAt)}`,
        onProgress: (done, of) => onProgress('copy', done, of),
      })),
      kind: 'embedded',
      postgres: own.cluster.binaries.major,
    }),
    verify: (facts, packed) => verifyCopy({ own, clock, secret, facts, packed }),
  }
}
