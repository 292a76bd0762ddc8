import { askPassphrase } from '../../ask.ts'
import { print, say } from '../../output/output.ts'
import { onServer } from '../../server.ts'

/** Makes a backup while the service may run; the progress goes to standard error. */
export async function backup(to: string | undefined): Promise<void> {
  const passphrase = await askPassphrase(
    'Passphrase to encrypt the secret (empty: leave the secret out)',
  )
  const made = await onServer((server) =>
    server.operate((operator) => operator.backups.make({ to, passphrase }, progress())),
  )
  const { warning, ...facts } = made
  print(facts)
  if (typeof warning === 'string') say(warning)
}

function progress(): (stage: 'copy' | 'upload', done: number, of: number) => void {
  let last = ''
  return (stage, done, of) => {
    const percent = of > 0 ? Math.min(100, Math.floor((100 * done) / of)) : 0
    const line = `${stage === 'copy' ? 'Copied' : 'Sent'} ${percent} %`
    if (line === last || !process.stderr.isTTY) return
    last = line
    const end = percent === 100 ? '\n' : ''
    process.stderr.write(`\r${line}, ${Math.round(done / 1e6)} MB${end}`)
  }
}

export async function listBackups(place: string | undefined): Promise<void> {
  print(await onServer((server) => server.listBackupsHere(place)))
}

export async function verifyBackup(name: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.backups.verify(name))))
}

export async function pruneBackups({ dryRun }: { dryRun?: boolean }): Promise<void> {
  print(
    await onServer((server) => server.operate((operator) => operator.backups.prune({ dryRun }))),
  )
}

export async function restore(
  source: string,
  { at, to }: { at?: string; to?: string },
): Promise<void> {
  const passphrase = await askPassphrase('Passphrase of the backup (empty: none)')
  print(await onServer((server) => server.restoreHere({ source, at, to, passphrase }, say)))
}

export async function startSending({ business }: { business?: string }): Promise<void> {
  print(
    await onServer((server) =>
      server.operate((operator) =>
        business === undefined ? operator.startSending() : operator.stops.start(business),
      ),
    ),
  )
}

interface HoldOptions {
  business?: string
  withMessages?: boolean
}

export async function holdSending({ business, withMessages }: HoldOptions): Promise<void> {
  print(
    await onServer((server) =>
      server.operate((operator) =>
        business === undefined
          ? operator.backups.hold()
          : operator.stops.hold(business, { withMessages }),
      ),
    ),
  )
}
