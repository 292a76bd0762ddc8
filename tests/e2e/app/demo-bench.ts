/** A service with the demo data, at one moment, so that its pages are the same each time. */
import assert from 'node:assert/strict'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { formatId, type Id, type Noun } from 'crier-server/core/ids.ts'
import { findDemo } from 'crier-server/core/installation/demo.ts'
import { demoOwner, makeDemo } from 'crier-server/demo/make.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import type { Page } from 'playwright-core'
import { silentLog } from '../../support/silent-log.ts'
import type { Theme } from '../browser.ts'
import { type AppBench, openAppBench } from './app.ts'
import type { Objects } from './places.ts'

const moment = new Date('2026-11-24T10:41:00Z')
let passedMs = 0
const clock = { ...systemClock, now: () => new Date(moment.getTime() + passedMs) }

export interface DemoBench extends AppBench {
  /** The app's address of the first business. */
  root: string
  /** The addresses of its campaigns by their names. */
  campaigns: Map<string, string>
  objects: Objects
  visit(look: { theme: Theme; width: number }): Promise<DemoVisit>
  /** Lets time pass for the service, whose limits count calls by the minute. */
  pass(seconds: number): void
}

export interface DemoVisit {
  page: Page
  complaints: string[]
  close(): Promise<void>
}

let shared: Promise<DemoBench> | undefined

/** One for all tests of a file, since making the demo takes longer than most of them. */
export function sharedDemoBench(): Promise<DemoBench> {
  shared ??= openDemoBench()
  return shared
}

export async function openDemoBench(): Promise<DemoBench> {
  const bench = await openAppBench({ idle: true, clock })
  const { service, db } = bench.testbed
  const { config, vault } = service
  assert.equal(await makeDemo({ config, db, vault, clock, log: silentLog }), undefined)
  const [roaster] = (await findDemo(db))?.businesses ?? []
  assert.ok(roaster)
  const { id } = await db.one<{ id: Id<'user'> }>(
    sql`select id from users where email = ${demoOwner}`,
  )
  const session = await startSession(db, id, moment)
  const rows = await db.all<{ name: string; id: Id<'campaign'> }>(
    sql`select name, id from campaigns where business_id = ${roaster}`,
  )
  const campaigns = new Map(rows.map((row) => [row.name, formatId('campaign', row.id)]))
  const one = async <Kind extends Noun>(kind: Kind, query: ReturnType<typeof sql>) => {
    const [row] = await db.all<{ id: Id<Kind> }>(query)
    return row ? formatId(kind, row.id) : 'none'
  }
  const objects: Objects = {
    contact: await one(
      'contact',
      sql`
      select id from contacts where business_id = ${roaster} order by id limit 1
    `,
    ),
    segment: await one(
      'segment',
      sql`
      select id from segments where business_id = ${roaster} order by id limit 1
    `,
    ),
    form: await one(
      'form',
      sql`
      select id from forms where business_id = ${roaster} order by id limit 1
    `,
    ),
    template: await one(
      'template',
      sql`
      select id from templates where business_id = ${roaster} order by id limit 1
    `,
    ),
    message: await one(
      'message',
      sql`
      select id from messages where business_id = ${roaster} order by id desc limit 1
    `,
    ),
    automation: await one(
      'sequence',
      sql`
      select id from sequences where business_id = ${roaster} order by id desc limit 1
    `,
    ),
    feed: await one(
      'feed',
      sql`
      select id from feeds where business_id = ${roaster} order by id limit 1
    `,
    ),
    draft: campaigns.get('Notes from the farm') ?? '',
    sent: campaigns.get('Winter subscription') ?? '',
  }
  return {
    ...bench,
    root: `${service.url}/b/${formatId('business', roaster)}`,
    campaigns,
    objects,
    pass(seconds) {
      passedMs += seconds * 1000
    },
    async visit({ theme, width }) {
      const context = await bench.browser.newContext({
        colorScheme: theme,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
        locale: 'en-GB',
        timezoneId: 'Europe/Brussels',
      })
      await context.addCookies([{ name: 'crier-session', value: session, url: service.url }])
      context.setDefaultTimeout(15_000)
      await context.clock.setFixedTime(moment)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      return { page, complaints, close: () => context.close() }
    },
  }
}
