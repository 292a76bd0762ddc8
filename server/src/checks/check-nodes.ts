/** Checks the values that all nodes of an installation must share. */
import type { ClientConfig } from 'pg'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { recordedAddresses } from '../core/installation/addresses.ts'
import { hasRootKey, openVault } from '../core/installation/root-key.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { openEar } from '../lib/notify/notifier.ts'
import { clockTolerance, clockWords } from '../lib/postgres/url.ts'
import { later, minutes } from '../lib/time/clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Compares the service's clock with the database's. */
export async function clockFinding(db: Db): Promise<Finding> {
  const before = Date.now()
  const { serverMs } = await db.one<{ serverMs: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "serverMs"`,
  )
  const ahead = (before + Date.now()) / 2 - serverMs
  if (Math.abs(ahead) < clockTolerance.warnMs) return ok('clock', 'agrees with the database')
  const text = `${clockWords(ahead)} that of the database`
  const mend = 'Synchronise the clocks of all machines with NTP: timedatectl set-ntp true.'
  return Math.abs(ahead) < clockTolerance.refuseMs
    ? warn('clock', text, mend)
    : fail('clock', text, mend)
}

/**
 * Whether the clock of a node jumped, so that it claims no jobs. Undefined if none did. A node that
 * was seen lately by its own clock, or by the time it should show, is there.
 */
export async function clockJumpFinding(db: Db, now: Date): Promise<Finding | undefined> {
  const [node, ...others] = await db.all<{ host: string; aheadMs: number }>(sql`
    select host, clock_ahead_ms as "aheadMs" from nodes
    where clock_ahead_ms is not null and stopped_at is null
      and greatest(seen_at, seen_at + clock_ahead_ms * interval '1 ms') > ${later(now, -minutes(1))}
    order by started_at
  `)
  if (!node) return undefined
  const by = `${Math.round(Math.abs(node.aheadMs) / 1000)} s ${node.aheadMs > 0 ? 'forward' : 'back'}`
  const more = others.length > 0 ? `, and of ${others.length} more` : ''
  return fail(
    'clock jump',
    `the clock of ${node.host} jumped ${by}${more}: it claims no jobs until it is right again`,
    'Synchronise the clock with NTP: timedatectl set-ntp true. If it is right now, restart the service there.',
  )
}

/** Whether a worker hears at once of jobs that other processes queue. */
export async function hearingFinding(
  db: Db,
  connection: ClientConfig,
  { makesBackups = false } = {},
): Promise<Finding> {
  const check = 'processes'
  const polling = 'polling: a worker checks every half second for jobs that other processes queued'
  const direct = 'to the same database without the pooler, if several processes run'
  try {
    const { client, hearing } = await openEar({ connection, db }, () => {})
    await client.end()
    switch (hearing) {
      case 'listening':
        return ok(check, 'listening: a worker learns at once of jobs that other processes queue')
      case 'pooled':
        return makesBackups
          ? fail(
              check,
              `${polling}; a pooler is between, over which no backup is made`,
              'Set DATABASE_DIRECT_URL to the same database without the pooler, on every worker.',
            )
          : warn(check, `${polling}; a pooler is between`, `Set DATABASE_DIRECT_URL ${direct}.`)
      case 'elsewhere':
        return warn(
          check,
          `${polling}; nothing arrives over DATABASE_DIRECT_URL`,
          'Set DATABASE_DIRECT_URL to the same server and database as DATABASE_URL.',
        )
    }
  } catch (error) {
    const { code } = error as { code?: string }
    return warn(
      check,
      `${polling}; no connection to listen on${code ? ` (${code})` : ''}`,
      `Check that DATABASE_DIRECT_URL leads, with user and password, ${direct}.`,
    )
  }
}

/** All nodes must use the same addresses for links in mail and the issuer of tokens. */
export async function addressesFinding(db: Db, config: Config): Promise<Finding> {
  const recorded = await recordedAddresses(db)
  const own = { baseUrl: config.baseUrl, appUrl: config.appUrl, gatewayUrl: config.gatewayUrl }
  if (!recorded) return ok('addresses', 'no service has started with this database yet')
  const other = (Object.keys(own) as (keyof typeof own)[]).find((key) => own[key] !== recorded[key])
  if (!other) return ok('addresses', 'as the service last started with')
  return warn(
    'addresses',
    `${other} is ${own[other]} here, and was ${recorded[other]} where the service last started`,
    'Give all nodes the same BASE_URL, APP_URL and GATEWAY_URL.',
  )
}

/** Checks whether the secret belongs to this database, without creating anything. */
export async function sealFinding(db: Db, config: Config): Promise<Finding> {
  if (!(await hasRootKey(db))) return ok('seal', 'set up by the first start')
  try {
    await openVault(db, secretOf(config), new Date())
    return ok('seal', 'the secret decrypts the stored data')
  } catch (error) {
    return fail('seal', 'the secret does not belong to this database', (error as Error).message)
  }
}
