/** Checks what other machines rely on: the DNS of the public names, and backups that are not old. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Backup, isGood, newestGood } from '../backups/model/backup.ts'
import { stampedAt } from '../backups/newest.ts'
import { openPlace } from '../backups/places/open.ts'
import { type Config, isLoopbackUrl, limits } from '../config.ts'
import { StartError } from '../lib/db/start-error.ts'
import { createResolver } from '../lib/dns/resolver.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

type BackupSettings = Pick<
  Config,
  'backupStamp' | 'backupTo' | 'baseUrl' | 'databaseUrl' | 'ledgerTo' | 'secret' | 'role'
>

const backupGuide = 'docs/operate/backup.md'

export async function backupFinding(config: BackupSettings, now: Date): Promise<Finding> {
  const { backupTo, baseUrl, databaseUrl, secret } = config
  if (backupTo === undefined) {
    if (databaseUrl !== undefined) return ownServerFinding(config, now)
    if (isLoopbackUrl(baseUrl)) return ok('backup', 'no automatic backups: BACKUP_TO is not set')
    const mend = 'Set BACKUP_TO to a folder on another disk, or to s3://bucket/prefix.'
    return warn('backup', 'no automatic backups', mend)
  }
  const backupPlace = await openPlace(backupTo)
  let backups: Backup[]
  try {
    backups = await backupPlace.list()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return fail('backup', `${backupPlace.name} cannot be read`, error.message)
  }
  const [failed] = backups.filter((backup) => !isGood(backup))
  const failure = failed && `${failed.name} failed its verification: ${failed.failure}`
  const newest = newestGood(
    backups.filter(({ verifiedAt }) => verifiedAt !== null),
    now,
  )
  if (!newest) {
    const ahead = backups.some(isGood) ? ', or only by a clock that was ahead' : ''
    const text = `none is verified in ${backupPlace.name}${ahead}${failure ? `; ${failure}` : ''}`
    return warn('backup', text, 'Run crier backup.')
  }
  const seconds = Math.max(0, (now.getTime() - new Date(newest.startedAt).getTime()) / 1000)
  const age = `the newest verified one is ${Math.floor(seconds / 3600)} hours old`
  if (failure) {
    const mend = 'Run crier backup to make a new one, and check the disk of BACKUP_TO.'
    return warn('backup', `${age}; ${failure}`, mend)
  }
  if (seconds > limits.alertBackupSeconds) {
    return warn('backup', age, 'Run crier backup to see what is wrong.')
  }
  // A secret that the operator set is kept where the settings are.
  if (newest.hasSecret || secret !== undefined) return ok('backup', age)
  return warn(
    'backup',
    `${age}, and does not contain the secret: if DATA_DIR is lost, encrypted data in it cannot be read`,
    'Set BACKUP_PASSPHRASE and store it elsewhere, or copy DATA_DIR/secret to a safe place and set CRIER_SECRET to it.',
  )
}

/** For a server that others back up we only keep the ledger, which the workers write. */
async function ownServerFinding(
  { backupStamp, baseUrl, ledgerTo, role }: BackupSettings,
  now: Date,
): Promise<Finding> {
  const origin = 'made by the tools of the server at DATABASE_URL'
  if (role === 'api' || isLoopbackUrl(baseUrl)) return ok('backup', origin)
  if (ledgerTo === undefined) {
    return warn(
      'backup',
      `${origin}, and a dump that is restored forgets who opted out after it`,
      `Set LEDGER_TO on the workers, as ${backupGuide} says.`,
    )
  }
  if (backupStamp === undefined) {
    return warn(
      'backup',
      `${origin}, whose age nobody watches`,
      `Set BACKUP_TO on the workers, which then make one every night, or BACKUP_STAMP to a file that your backup touches when it ended well, as ${backupGuide} says.`,
    )
  }
  const mend = `Read the log of that tool, and make a backup. It touches ${backupStamp} when one ended well.`
  let stamp: Date | undefined
  try {
    stamp = await stampedAt(backupStamp, now)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(
      'backup',
      `${origin}, whose stamp ${backupStamp} cannot be read (${code})`,
      'Let the user that Crier runs as read that file, and its folder.',
    )
  }
  if (!stamp) return warn('backup', `${origin}, which have not stamped ${backupStamp} yet`, mend)
  const seconds = Math.max(0, (now.getTime() - stamp.getTime()) / 1000)
  const age = `${origin}, the newest ${Math.floor(seconds / 3600)} hours old`
  return seconds > limits.alertBackupSeconds ? warn('backup', age, mend) : ok('backup', age)
}

type Addresses = Pick<Config, 'baseUrl' | 'appUrl' | 'gatewayUrl'>

/** Whether the names of the public addresses lead anywhere, as this machine resolves them. */
export async function namesFinding(
  { baseUrl, appUrl, gatewayUrl }: Addresses,
  resolve: (name: string) => Promise<unknown> = lookup,
): Promise<Finding> {
  const hosts = [baseUrl, appUrl, gatewayUrl].map((url) => new URL(url))
  const names = new Set(
    hosts
      .filter((url) => !isLoopbackUrl(url.href) && isIP(unbracketed(url.hostname)) === 0)
      .map((url) => url.hostname),
  )
  if (names.size === 0) return ok('public names', 'none: the addresses are of this machine')
  const lost: string[] = []
  for (const name of names) {
    await resolve(name).catch((error: NodeJS.ErrnoException) => {
      lost.push(`${name} (${error.code})`)
    })
  }
  if (lost.length === 0) return ok('public names', `${[...names].join(', ')} resolve`)
  return warn(
    'public names',
    `no address for ${lost.join(', ')}`,
    'Set an A or AAAA record that points to this machine or its proxy.',
  )
}

const unbracketed = (host: string) => host.replaceAll('[', '').replaceAll(']', '')

/** Whether bounces find the way to this machine. Port 25 cannot be tried from inside. */
export async function bounceFinding({
  receivesBounces,
  bounceDomain,
  dnsServers,
}: Pick<Config, 'receivesBounces' | 'bounceDomain' | 'dnsServers'>): Promise<Finding> {
  if (!receivesBounces) return ok('bounces', 'not received: BOUNCE_PORT is not set')
  const { lookup: ask } = createResolver({ servers: dnsServers, rounds: [2_000] })
  const found = await ask(bounceDomain, 'MX')
  const forDomain = `for ${bounceDomain}`
  switch (found.outcome) {
    case 'found':
      return ok(
        'bounces',
        `MX ${forDomain}: ${found.records.map(({ exchange }) => exchange).join(', ')}`,
      )
    case 'absent':
      return warn(
        'bounces',
        `no MX record ${forDomain}`,
        'Set one that points to BOUNCE_PORT, port 25.',
      )
    case 'failed':
      return warn(
        'bounces',
        `DNS did not answer ${forDomain} (${found.failure})`,
        'Check that this machine reaches its DNS servers, or set DNS_SERVERS.',
      )
  }
}
